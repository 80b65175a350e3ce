//! The built plugin passes the conformance kit of the interface.

#[test]
fn the_plugin_conforms() {
    // Cargo builds the library before it runs this test, in the folder of the test's program.
    let library = std::env::current_exe().unwrap().with_file_name("lib{{snake}}.so");
    assert_eq!(mteb_plugin_api::testkit::check(&library), Vec::<String>::new());
}
