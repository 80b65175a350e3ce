//! The built plugin passes the conformance kit of the interface.

#[test]
fn the_plugin_conforms() {
    // Cargo builds the library before it runs this test, two folders above the test's program.
    let test = std::env::current_exe().unwrap();
    let library = test.ancestors().nth(2).unwrap().join("lib{{snake}}.so");
    assert_eq!(mteb_plugin_api::testkit::check(&library), Vec::<String>::new());
}
