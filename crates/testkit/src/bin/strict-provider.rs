//! The strict provider as a program, for clients in other processes.
//!
//! `strict-provider SCRIPT [--port N]` prints its address on the first line and serves until it is
//! killed; each request goes to stderr with what became of it. Not here: any option of the checks.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

use std::process::ExitCode;
use std::time::Duration;

use fanfold_model::Script;
use fanfold_testkit::StrictServer;
use fanfold_testkit::strict::Memory;

const USAGE: &str = "usage: strict-provider SCRIPT [--port N]";

/// How often the log is looked at.
const LOOK: Duration = Duration::from_millis(50);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("strict-provider: {problem}");
            ExitCode::from(2)
        }
    }
}

async fn serve() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (path, port) = match args.as_slice() {
        [path] => (*path, 0),
        [path, "--port", port] => {
            (*path, port.parse().map_err(|_| format!("{port:?} is no port"))?)
        }
        _ => return Err(USAGE.to_owned()),
    };
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let script = Script::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    let server = StrictServer::bind(script, Memory::default(), port).await;
    let server = server.map_err(|error| format!("port {port}: {error}"))?;
    println!("{}", server.url());
    let mut told = 0;
    loop {
        tokio::time::sleep(LOOK).await;
        let requests = server.requests();
        for request in &requests[told..] {
            let became = request.refusal.as_ref().map_or("accepted".into(), ToString::to_string);
            eprintln!("{} {} bytes: {became}", request.wire, request.body.len());
        }
        told = requests.len();
    }
}
