//! Linux: the rights of the administrator, part by part.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// What a process of the administrator keeps: to read files whoever owns them, as it does without confinement, and to keep memory from
/// being paged out, as graphics cards ask for.
const KEPT: CapabilitySet = CapabilitySet::DAC_READ_SEARCH.union(CapabilitySet::IPC_LOCK);

/// Gives up all other rights of the administrator for good, as far as this process has any.
pub fn give_up() {
    let Ok(found) = capabilities(None) else { return };
    if found.permitted.is_empty() {
        return;
    }
    for number in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << number);
        if !KEPT.contains(one) {
            // Numbers that this kernel does not know are refused; so is all without the right to do this.
            let _ = remove_capability_from_bounding_set(one);
        }
    }
    let _ = clear_ambient_capability_set();
    let kept = found.permitted & KEPT;
    let _ = set_capabilities(
        None,
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() },
    );
}
