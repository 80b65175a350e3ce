//! Cards and registries that would stop the host or fill its memory.
