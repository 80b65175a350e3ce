//! Declares the types of tasks of a pack to this process.

use mteb_card::{PLAN, TypeEvaluator, declare_type};

use super::{FoundPlugin, PackType};

impl FoundPlugin {
    /// Declares the types that the pack brings, for this process.
    ///
    /// # Errors
    /// One line, if a type is declared otherwise, or cannot be what is declared of it.
    pub fn declare_types(&self) -> Result<(), String> {
        let plugin = self.path.display();
        for (name, PackType { task, declaration }) in &self.types {
            if let Some((path, message)) = declaration.faults().into_iter().next() {
                return Err(format!("{plugin}: the type {name}, {}: {message}", path.join(".")));
            }
            let evaluator = TypeEvaluator::Pack {
                plugin: self.manifest.name.clone(),
                task: task.clone(),
                plans: self.manifest.features.iter().any(|feature| feature == PLAN),
                code: self.code(),
            };
            declare_type(name, declaration.clone(), evaluator)
                .map_err(|message| format!("{plugin}: {message}; rename one of them"))?;
        }
        Ok(())
    }
}
