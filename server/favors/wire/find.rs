//! What is looked for, between the wire and the domain.

use super::{Category, category, wire};
use crate::{
    error::{Error, FieldReason, Result},
    favors::find::{List, Sought, Wanted},
    terms, text,
};

/// What is browsed.
pub fn browsed(asked: &wire::BrowseFavorsRequest) -> Wanted {
    Wanted { list: List::Browse, category: only(asked.category()), location: folded(&asked.location) }
}

/// The favors of one category.
pub fn of_category(asked: &wire::ListFavorsByCategoryRequest) -> Wanted {
    Wanted { list: List::Category, category: only(asked.category()), location: String::new() }
}

/// The favors of one location.
///
/// # Errors
/// INVALID_ARGUMENT when nothing of it can be seen.
pub fn of_location(asked: &wire::ListFavorsByLocationRequest) -> Result<Wanted> {
    Ok(Wanted { list: List::Location, category: None, location: seen("location", &folded(&asked.location))? })
}

/// What is searched.
///
/// # Errors
/// INVALID_ARGUMENT when nothing of it can be seen.
pub fn searched(asked: &wire::SearchFavorsRequest) -> Result<Sought> {
    let terms = terms::terms(&seen("search_term", &asked.search_term)?);
    Ok(Sought { terms, category: only(asked.category()), location: folded(&asked.location) })
}

fn only(asked: wire::FavorCategory) -> Option<Category> {
    (asked != wire::FavorCategory::Unspecified).then(|| category(asked))
}

/// A location as it is compared.
fn folded(location: &str) -> String {
    terms::fold(&text::clean(location))
}

fn seen(field: &'static str, text: &str) -> Result<String> {
    match text::clean(text) {
        text if text.is_empty() => Err(Error::field(field, FieldReason::Required, "must not be empty")),
        text => Ok(text),
    }
}
