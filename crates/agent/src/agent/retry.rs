//! Whether and when a model that failed is asked again.
//!
//! Not here: what kinds of faults there are (`fanfold-wire`).

use fanfold_transcript::StepId;
use fanfold_wire::Fault;

/// The wait before the second attempt, in milliseconds; it doubles from there.
const FIRST_WAIT_MS: u64 = 1_000;

/// The longest wait that Fanfold chooses itself.
const WAIT_MS_MAX: u64 = 60_000;

/// The longest wait that a provider may ask for; beyond it the turn fails instead of standing still.
const ASKED_WAIT_MS_MAX: u64 = 600_000;

/// How long to wait before attempt `next` (2 for the second); `None` when asking again is of no use.
///
/// The wait is that of the provider, unless it is none at all, or doubles from one second to one minute, plus up to a quarter
/// by chance, so that many agents do not come back at the same moment.
pub(super) fn wait_ms(fault: &Fault, step: StepId, next: u32, seed: u64) -> Option<u64> {
    if !fault.kind.is_passing() {
        return None;
    }
    if let Some(asked) = fault.retry_after_ms.filter(|&asked| asked > 0) {
        return (asked <= ASKED_WAIT_MS_MAX).then_some(asked);
    }
    let doublings = next.saturating_sub(2).min(16);
    let wait = (FIRST_WAIT_MS << doublings).min(WAIT_MS_MAX);
    let chance = scrambled(seed ^ u64::from(step.0) << 32 ^ u64::from(next));
    Some(wait + chance % (wait / 4 + 1))
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): neighbours come out far apart.
const fn scrambled(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

#[cfg(test)]
mod tests {
    use fanfold_wire::FaultKind;

    use super::*;

    fn fault(kind: FaultKind, retry_after_ms: Option<u64>) -> Fault {
        Fault { kind, said: "no".into(), retry_after_ms }
    }

    #[test]
    fn waits_double_with_some_chance_and_a_provider_is_obeyed() {
        let busy = fault(FaultKind::Overloaded, None);
        for (next, least) in [(2, 1_000), (3, 2_000), (4, 4_000), (20, 60_000)] {
            let wait = wait_ms(&busy, StepId(1), next, 7).unwrap();
            assert!((least..=least + least / 4).contains(&wait), "{next}: {wait}");
            assert_eq!(wait_ms(&busy, StepId(1), next, 7), Some(wait));
        }
        let asked = |ms| wait_ms(&fault(FaultKind::RateLimited, Some(ms)), StepId(1), 2, 7);
        assert_eq!((asked(30_000), asked(600_001)), (Some(30_000), None));
        assert!(asked(0) >= Some(1_000), "at once is too soon");
        assert_eq!(wait_ms(&fault(FaultKind::Auth, Some(1)), StepId(1), 2, 7), None);
    }
}
