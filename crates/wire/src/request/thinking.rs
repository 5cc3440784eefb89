//! How much a model is to think, and when it has to stop.
//!
//! Not here: which model takes which form. The caller knows the model.

/// How much the model is to think.
///
/// | | Anthropic | OpenAI (both) | Gemini |
/// |---|---|---|---|
/// | `Off` | nothing is said | nothing is said | nothing is said |
/// | `Adaptive` | `thinking: {type: "adaptive"}`, `output_config.effort` | the effort, if any | `includeThoughts`, the effort as `thinkingLevel` |
/// | `Budget` | `thinking: {type: "enabled", budget_tokens}` | nothing is said | `includeThoughts`, `thinkingBudget` |
/// | `Effort` | `output_config.effort` | `reasoning.effort`, `reasoning_effort` | as `Adaptive` |
///
/// *Off* is to say nothing, on every wire: newer models (Claude Opus 5.5, Gemini 3) refuse a request
/// that forbids thinking, and think by their own default instead. All of them accept replies without
/// thinking then: only Anthropic's budget demands that the replies of a tool loop begin with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// Nothing is asked for.
    #[default]
    Off,
    /// As the model sees fit.
    Adaptive {
        /// How much it is to try; `None` leaves it to the provider.
        effort: Option<Effort>,
    },
    /// Up to a number of tokens.
    Budget {
        /// Anthropic takes 1,024 at the least and fewer than the output may have in all: a smaller
        /// one is raised, a larger one lowered; where there is no room for either it is left out.
        tokens: u64,
    },
    /// How much the model is to try, without asking to see its thinking.
    Effort(Effort),
}

impl Thinking {
    /// The effort, where one is named.
    pub(crate) const fn effort(self) -> Option<Effort> {
        match self {
            Self::Off | Self::Budget { .. } => None,
            Self::Adaptive { effort } => effort,
            Self::Effort(effort) => Some(effort),
        }
    }
}

/// How much a model is to try. Not every model knows every word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// As little as there is: `low` for Anthropic.
    Minimal,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much; the most that Gemini knows.
    High,
    /// Very much.
    Xhigh,
    /// As much as there is.
    Max,
}

impl Effort {
    /// All of them, the least first.
    pub const ALL: [Self; 6] =
        [Self::Minimal, Self::Low, Self::Medium, Self::High, Self::Xhigh, Self::Max];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }
}
