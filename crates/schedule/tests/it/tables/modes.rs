//! The three ways to schedule the same reply, as `docs/scheduling.md` shows them.

use crate::driver::check;

#[test]
fn the_default_keeps_writing_tools_in_one_group_and_every_shell_alone() {
    let drawn = check(
        "
        batch
          c1 fs w:/w/a 30
          c2 fs w:/w/b 30
          c3 ind r:/w/a 10
          c4 excl 40
          c5 fs w:/w/c 20
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===         |
    c2   |...===      |  0: c1 (group fs)
    c3   |...=        |  0: c1 (claim path:/w/a)
    c4   |......====  |  0: c3 (exclusive)  40: c2 (exclusive)
    c5   |..........==|  0: c4 (exclusive)
    ");
}

#[test]
fn by_path_lets_edits_of_different_files_overlap() {
    let drawn = check(
        "
        batch
          c1 ind w:/w/a 30
          c2 ind w:/w/b 30
          c3 ind r:/w/a 10
          c4 excl 40
          c5 ind w:/w/c 20
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===       |
    c2   |===       |
    c3   |...=      |  0: c1 (claim path:/w/a)
    c4   |....====  |  0: c3 (exclusive)
    c5   |........==|  0: c4 (exclusive)
    ");
}

#[test]
fn a_shell_proved_read_only_reads_the_workspace_and_is_no_barrier() {
    let drawn = check(
        "
        batch
          c1 fs w:/w/a 30
          c2 fs w:/w/b 30
          c3 ind r:/w/a 10
          c4 ind r:/w 40
          c5 fs w:/w/c 20
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===         |
    c2   |...===      |  0: c1 (group fs)
    c3   |...=        |  0: c1 (claim path:/w/a)
    c4   |......====  |  0: c2 (claim path:/w)
    c5   |..........==|  0: c2 (group fs)  60: c4 (claim path:/w/c)
    ");
}
