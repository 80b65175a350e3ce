//! A library whose code says that it has run, and ends its process, as soon as it is loaded.

/// The system calls this while it loads the library.
#[allow(unsafe_code, reason = "a name for the system's loader, which no other code has")]
#[used]
#[unsafe(link_section = ".init_array")]
static WHILE_LOADING: extern "C" fn() = say_so;

extern "C" fn say_so() {
    eprintln!("FOREIGN CODE HAS RUN");
    std::process::abort();
}
