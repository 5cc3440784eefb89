//! `cargo xtask peers`: programs that are not ours, against ours.
//!
//! The providers' official clients talk to the test kit's strict provider: they stream, retry, run
//! a tool loop, give thinking back and read refusals. And `fanfold` itself talks to a mock provider
//! that others wrote. So neither side is only our own idea of a wire. What they need is installed
//! into `target/peers`, in these very versions; nothing is skipped. Not here: what is asked and
//! compared (`xtask/peers`).

mod server;

use serde_json::Value;

use crate::failure::Failure;
use crate::program::Program;
use server::Server;

/// The clients, pinned: a new version is taken on purpose.
const CLIENTS: [&str; 3] = ["anthropic==2.14.0", "openai==3.57.0", "google-genai==3.6.1"];

/// The mock provider, pinned likewise.
const AIMOCK: &str = "@copilotkit/aimock@1.43.0";

/// Where the clients are installed, from the root of the workspace.
const PYTHON_PLACE: &str = "target/peers/python";

/// Where the mock provider is installed, from the root of the workspace.
const NODE_PLACE: &str = "target/peers/node";

/// One run of a client each: its program and what it is told beside the address.
const CLIENT_RUNS: [(&str, &[&str]); 4] = [
    ("xtask/peers/anthropic_sdk.py", &[]),
    ("xtask/peers/openai_sdk.py", &["chat"]),
    ("xtask/peers/openai_sdk.py", &["responses"]),
    ("xtask/peers/google_genai_sdk.py", &[]),
];

/// What `fanfold` asks the mock provider for: one model of each wire.
const MODELS: [&str; 4] = [
    "anthropic/claude-opus-4-6",
    "openai/gpt-5.2",
    "openai-chat/gpt-5.2",
    "gemini/gemini-3.1-pro-preview",
];

pub(crate) fn run() -> Result<(), Failure> {
    let python = install_clients()?;
    Server::build_strict()?;
    for (program, more) in CLIENT_RUNS {
        let server = Server::strict("xtask/peers/script.json")?;
        compare(&python, &[&[program, server.url()], more].concat())?;
    }
    let aimock = install_aimock()?;
    let fanfold = build_fanfold()?;
    for model in MODELS {
        // Its faults are used up by the first session: each wire has a server of its own.
        let server = Server::aimock(&aimock, "xtask/peers/aimock.json")?;
        compare(&python, &["xtask/peers/fanfold_run.py", server.url(), &fanfold, model])?;
    }
    println!("peers: {} runs of {}", CLIENT_RUNS.len(), CLIENTS.join(", "));
    println!("peers: {} sessions of fanfold with {AIMOCK}", MODELS.len());
    Ok(())
}

/// Runs a program of `xtask/peers`, which fails at the first difference.
fn compare(python: &str, args: &[&str]) -> Result<(), Failure> {
    // A proxy for the network is none for this machine.
    let program = Program::named(python, args).env("NO_PROXY", "127.0.0.1");
    program.env("PYTHONDONTWRITEBYTECODE", "1").run()
}

/// Installs the clients and gives the Python that finds them.
fn install_clients() -> Result<String, Failure> {
    Program::named("python3", &["-m", "venv", PYTHON_PLACE]).run()?;
    let python = format!("{PYTHON_PLACE}/bin/python");
    let mut args = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    args.extend(CLIENTS);
    Program::named(&python, &args).run()?;
    Ok(python)
}

/// Installs the mock provider and gives its program, for `node`.
fn install_aimock() -> Result<String, Failure> {
    Program::named("node", &["--version"]).run()?;
    let quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    let args = [&["install", "--prefix", NODE_PLACE], &quiet[..], &[AIMOCK]].concat();
    Program::named("npm", &args).run()?;
    Ok(format!("{NODE_PLACE}/node_modules/@copilotkit/aimock/dist/cli.js"))
}

/// Builds `fanfold` and gives the path that cargo tells.
fn build_fanfold() -> Result<String, Failure> {
    let args = ["build", "--quiet", "-p", "fanfold", "--bin", "fanfold"];
    let format = ["--message-format", "json-render-diagnostics"];
    let messages = Program::cargo(&[&args[..], &format].concat()).output()?;
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let path =
        messages.find_map(|message: Value| message["executable"].as_str().map(str::to_owned));
    path.ok_or_else(|| Failure::check("failed to find fanfold: cargo did not name it"))
}
