//! Says that there is no tool of a name, and which were perhaps meant.

/// What to say of a name that no tool has.
pub(super) fn unknown_tool(name: &str, tools: &[&str]) -> String {
    let shown: String = name.chars().take(100).collect();
    let near = near(&shown, tools);
    let (lead, names) =
        if near.is_empty() { ("The tools are", tools.to_vec()) } else { ("Did you mean", near) };
    if names.is_empty() {
        return format!("there is no tool {shown:?}, nor any other");
    }
    format!("there is no tool {shown:?}. {lead}: {}", names.join(", "))
}

/// Up to three names that look like this one, nearest first.
fn near<'a>(name: &str, tools: &[&'a str]) -> Vec<&'a str> {
    let wanted: String = name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let score = |tool: &str| strsim::jaro_winkler(&wanted, &tool.to_lowercase());
    let mut near: Vec<(f64, &str)> = tools.iter().map(|tool| (score(tool), *tool)).collect();
    near.retain(|(score, _)| *score >= 0.8);
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(3).map(|(_, tool)| tool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_come_first_and_all_names_else() {
        let tools = ["ReadFile", "Shell"];
        let near = "there is no tool \"read_file\". Did you mean: ReadFile";
        assert_eq!(unknown_tool("read_file", &tools), near);
        let all = "there is no tool \"x\". The tools are: ReadFile, Shell";
        assert_eq!(unknown_tool("x", &tools), all);
        assert_eq!(unknown_tool("x", &[]), "there is no tool \"x\", nor any other");
    }
}
