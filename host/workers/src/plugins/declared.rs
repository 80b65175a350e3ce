//! Declares the types of tasks and the measures of a pack to this process.

use mteb_card::{MEASURES, PLAN, TypeEvaluator, declare_measure, declare_type};

use super::{FoundPlugin, PackType};

impl FoundPlugin {
    /// Declares the types and measures that the pack brings, for this process.
    ///
    /// # Errors
    /// One line, if one is declared otherwise, or cannot be what is declared of it.
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
        for (measure, declaration) in &self.measures {
            let name = format!("{}/{measure}", self.manifest.name);
            if let Some((path, message)) = declaration.faults().into_iter().next() {
                return Err(format!("{plugin}: the measure {name}, {}: {message}", path.join(".")));
            }
            if declaration.evaluator.is_some() {
                return Err(format!(
                    "{plugin}: the measure {name}: expected no `evaluator` of a pack, found one"
                ));
            }
            let evaluator = TypeEvaluator::Pack {
                plugin: self.manifest.name.clone(),
                task: MEASURES.to_owned(),
                plans: false,
                code: self.code(),
            };
            declare_measure(&name, declaration.clone(), evaluator)
                .map_err(|message| format!("{plugin}: {message}; rename one of them"))?;
        }
        Ok(())
    }
}
