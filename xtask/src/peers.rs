//! `cargo xtask peers`: programs that are not ours, against ours.
//!
//! The providers' official clients talk to the test kit's strict provider: they stream, retry, run
//! a tool loop, give thinking back and read refusals. So neither side is only our own idea of a
//! wire. What they need is installed into `target/peers`, in these very versions; nothing is
//! skipped. Not here: what each client is asked to do (`xtask/peers`).

mod server;

use crate::failure::Failure;
use crate::program::Program;
use server::Server;

/// The clients, pinned: a new version is taken on purpose.
const CLIENTS: [&str; 3] = ["anthropic==2.14.0", "openai==3.57.0", "google-genai==3.6.1"];

/// Where they are installed, from the root of the workspace.
const PLACE: &str = "target/peers/python";

/// One run each: its program and what it is told beside the address.
const RUNS: [(&str, &[&str]); 4] = [
    ("xtask/peers/anthropic_sdk.py", &[]),
    ("xtask/peers/openai_sdk.py", &["chat"]),
    ("xtask/peers/openai_sdk.py", &["responses"]),
    ("xtask/peers/google_genai_sdk.py", &[]),
];

pub(crate) fn run() -> Result<(), Failure> {
    let python = install()?;
    Server::build()?;
    for (program, more) in RUNS {
        let server = Server::start("xtask/peers/script.json")?;
        let args: Vec<&str> = [program, server.url()].iter().chain(more).copied().collect();
        let peer = Program::named(&python, &args);
        // A proxy for the network is none for this machine.
        peer.env("NO_PROXY", "127.0.0.1").env("PYTHONDONTWRITEBYTECODE", "1").run()?;
    }
    println!("peers: {} runs of {}", RUNS.len(), CLIENTS.join(", "));
    Ok(())
}

/// Installs the clients and gives the Python that finds them.
fn install() -> Result<String, Failure> {
    Program::named("python3", &["-m", "venv", PLACE]).run()?;
    let python = format!("{PLACE}/bin/python");
    let mut args = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    args.extend(CLIENTS);
    Program::named(&python, &args).run()?;
    Ok(python)
}
