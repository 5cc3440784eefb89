//! The HTTP client: TLS, proxies, and what it must not do by itself.
//!
//! Not here: what is sent with it (`server.rs`).

use std::net::IpAddr;
use std::time::Duration;

use reqwest::{Client, Url, redirect, retry};
use rustls::crypto::ring;

const USER_AGENT: &str = concat!("fanfold/", env!("CARGO_PKG_VERSION"));

/// A client for the server at `url`.
///
/// It follows no redirect and asks nothing twice. A server on this machine is asked directly; for
/// any other the proxies of the environment count, as with most programs.
///
/// # Errors
/// When the certificates of the system cannot be read.
pub(super) fn make_client(url: &Url, connect: Duration) -> Result<Client, reqwest::Error> {
    // It fails when another part of the program has chosen already, which is as good.
    ring::default_provider().install_default().ok();
    let mut client = Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(connect)
        .redirect(redirect::Policy::none())
        .retry(retry::never());
    if is_loopback(url) {
        client = client.no_proxy();
        if url.scheme() == "http" {
            // No certificate will be looked at, and reading those of the system takes time.
            client = client.tls_certs_only([]);
        }
    }
    client.build()
}

/// Whether the server is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse();
    address.map_or_else(
        |_| host == "localhost" || host.ends_with(".localhost"),
        |address: IpAddr| address.is_loopback(),
    )
}
