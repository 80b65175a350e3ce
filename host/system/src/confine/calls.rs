//! Linux: the system calls that a confined process may not make (seccomp): those by which it could type into a terminal, change or read
//! other processes, make devices, or see the system in another way than its host does (namespaces, keyrings, `io_uring`).
#![allow(
    unsafe_code,
    reason = "nothing safe puts a filter into force and leaves the processor's speculation as it is"
)]

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use super::purpose::{Purpose, Written};

/// Requests to terminals: to type into one, to select and paste on a console, to take one over, to send the system's messages to another,
/// to load what interprets lines, and to change keyboards; and the two that name a process to which the kernel is to send signals.
const REQUESTS: [u64; 10] = [0x5412, 0x541C, 0x540E, 0x541D, 0x5423, 0x4B47, 0x4B49, 0x4B45, 0x8901, 0x8902];

/// What names a process to which the kernel is to send a signal as soon as a file can be read (`F_SETOWN`, `F_SETOWN_EX`), and chooses
/// the signal (`F_SETSIG`).
const SIGNALS_OF_FILES: [u64; 3] = [8, 15, 10];

/// The bits of a file's mode that say its kind, and the two kinds of devices.
const KIND: u64 = 0o170_000;
const DEVICES: [u64; 2] = [0o020_000, 0o060_000];

/// Flags of `clone` that begin a namespace. In one of its own a process would be its administrator, which opens parts of the kernel that
/// are closed to users.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Calls that a confined process is told its kernel does not have, so that libraries take the older way, which this filter sees: the flags
/// of `clone3` lie in memory, and what `io_uring` does on behalf of a process passes no filter.
const ABSENT: [i64; 4] =
    [libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Targets of a request for priorities that are more than one process or thread.
const MANY: [u64; 2] = [1, 2];
const MANY_TO_READ_DISKS: [u64; 2] = [2, 3];

/// Numbers of calls have it where a processor of 64 bits runs the system's form for programs with short addresses.
const SHORT_ADDRESSES: i64 = 0x4000_0000;

/// Calls under conditions; without any, at all times.
type Rules = Vec<(i64, Vec<SeccompRule>)>;

/// Puts the filter into force for this thread and all that it starts; true if the kernel has it. `host` is not to be sent signals.
pub fn refuse(purpose: Purpose, written: Written, host: u32) -> bool {
    let filters = [filter_of_absent(), filter_of_forbidden(purpose, written, host)];
    filters.into_iter().all(|filter| filter.is_ok_and(|filter| put_into_force(&filter).is_ok()))
}

fn filter_of_absent() -> Result<BpfProgram, seccompiler::Error> {
    compile(ABSENT.map(|call| (call, Vec::new())).to_vec(), rustix::io::Errno::NOSYS)
}

fn filter_of_forbidden(
    purpose: Purpose,
    written: Written,
    host: u32,
) -> Result<BpfProgram, seccompiler::Error> {
    let mut rules = rules(purpose, host)?;
    if !written.are_signals_kept {
        // A folder of `/proc` stands for the process there, whoever that is.
        rules.push((libc::SYS_pidfd_send_signal, Vec::new()));
    }
    compile(rules, rustix::io::Errno::PERM)
}

fn compile(rules: Rules, error: rustix::io::Errno) -> Result<BpfProgram, seccompiler::Error> {
    let mut all: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (call, rules) in rules {
        all.insert(call, rules.clone());
        if cfg!(target_arch = "x86_64") {
            all.insert(call | SHORT_ADDRESSES, rules);
        }
    }
    let refusal = SeccompAction::Errno(error.raw_os_error().unsigned_abs());
    let arch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(all, SeccompAction::Allow, refusal, arch)?.try_into()?)
}

fn rules(purpose: Purpose, host: u32) -> Result<Rules, seccompiler::BackendError> {
    let is = |argument, value| one(argument, SeccompCmpOp::Eq, value);
    let is_other = |argument, value| one(argument, SeccompCmpOp::Ne, value);
    let any = |argument, values: &[u64]| {
        values.iter().map(|&value| is(argument, value)).collect::<Result<Vec<_>, _>>()
    };
    let devices = |argument| {
        DEVICES
            .iter()
            .map(|&kind| one(argument, SeccompCmpOp::MaskedEq(KIND), kind))
            .collect::<Result<Vec<_>, _>>()
    };
    let everybody = u64::from(u32::MAX);
    let (host, its_group) = (u64::from(host), u64::from(host.wrapping_neg()));
    let limits = SeccompRule::new(vec![
        condition(0, SeccompCmpOp::Ne, 0)?,
        SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?,
    ])?;
    let mut rules: Rules = vec![
        (libc::SYS_ioctl, any(1, &REQUESTS)?),
        (libc::SYS_fcntl, any(1, &SIGNALS_OF_FILES)?),
        (libc::SYS_mknodat, devices(2)?),
        // To read the limits of another process does no harm.
        (libc::SYS_prlimit64, vec![limits]),
        (libc::SYS_ptrace, Vec::new()),
        (libc::SYS_process_vm_readv, Vec::new()),
        (libc::SYS_process_vm_writev, Vec::new()),
        (libc::SYS_pidfd_getfd, Vec::new()),
        (libc::SYS_process_madvise, Vec::new()),
        (libc::SYS_kcmp, Vec::new()),
        // It passes over what folders permit.
        (libc::SYS_open_by_handle_at, Vec::new()),
        (libc::SYS_clone, begin_namespaces()?),
        (libc::SYS_unshare, Vec::new()),
        (libc::SYS_setns, Vec::new()),
        // Keys that the user keeps in the kernel.
        (libc::SYS_add_key, Vec::new()),
        (libc::SYS_request_key, Vec::new()),
        (libc::SYS_keyctl, Vec::new()),
        // They watch other processes, or hold the kernel in the midst of a call.
        (libc::SYS_perf_event_open, Vec::new()),
        (libc::SYS_bpf, Vec::new()),
        (libc::SYS_userfaultfd, Vec::new()),
        (libc::SYS_setpriority, any(0, &MANY)?),
        (libc::SYS_ioprio_set, any(0, &MANY_TO_READ_DISKS)?),
        (libc::SYS_migrate_pages, vec![is_other(0, 0)?]),
        (libc::SYS_move_pages, vec![is_other(0, 0)?]),
        // Where Landlock does not keep signals from other processes, the host and everybody are spared at least.
        (libc::SYS_kill, any(0, &[everybody, host, its_group])?),
        (libc::SYS_tkill, any(0, &[host])?),
        (libc::SYS_tgkill, any(0, &[host])?),
        (libc::SYS_rt_sigqueueinfo, any(0, &[host])?),
        (libc::SYS_rt_tgsigqueueinfo, any(0, &[host])?),
        (libc::SYS_pidfd_open, any(0, &[host])?),
    ];
    #[cfg(target_arch = "x86_64")]
    rules.push((libc::SYS_mknod, devices(1)?));
    if purpose == Purpose::Parser {
        // It reads files and answers, and needs neither a network nor another program.
        let calls =
            [libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_execve, libc::SYS_execveat];
        rules.extend(calls.map(|call| (call, Vec::new())));
    }
    Ok(rules)
}

fn begin_namespaces() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let flags = NAMESPACES.map(|flag| u64::from(flag.cast_unsigned()));
    flags.into_iter().map(|flag| one(0, SeccompCmpOp::MaskedEq(flag), flag)).collect()
}

fn condition(
    argument: u8,
    is: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, is, value)
}

fn one(argument: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![condition(argument, is, value)?])
}

fn put_into_force(filter: &BpfProgram) -> io::Result<()> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(io::Error::other)?,
        filter: filter.as_ptr().cast_mut().cast(),
    };
    // Else kernels before 5.16 slow down all that this process computes.
    let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    // SAFETY: the kernel copies `len` instructions from `filter`, which lives until the call returns, and writes nothing of ours; an
    // instruction of `seccompiler` has the layout of the kernel's.
    let result =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
