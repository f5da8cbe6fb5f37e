"""Games as WebAssembly modules, for pages that play and search without a server."""
