//! What a request changes, keeps and clears, and which field a refusal names.

use super::*;
use crate::pb::profile::{DetailsChange, PaymentInfoChange, ProfileDataChange};
use prost_types::FieldMask;

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn ana() -> DetailsChange {
    DetailsChange { first_name: some(" Ana "), last_name: some("Silva"), phone_number: some("(555) 123-4567"), ..Default::default() }
}

fn masked(paths: &[&str]) -> UpdateProfileRequest {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    UpdateProfileRequest { update_mask: Some(FieldMask { paths }), ..Default::default() }
}

fn refused(asked: &UpdateProfileRequest) -> Vec<(String, &'static str, String)> {
    read(asked).unwrap_err().fields().map(|(field, reason, text)| (field.to_owned(), reason, text.to_owned())).collect()
}

#[test]
fn a_whole_replacement_clears_what_is_absent_and_keeps_what_it_says() {
    let whole = UpdateProfileRequest { whole: true, details: Some(ana()), ..Default::default() };
    let expected = Changes {
        display_name: some(""),
        first_name: some("Ana"),
        last_name: some("Silva"),
        number: some("(555) 123-4567"),
        ..Default::default()
    };
    assert_eq!(read(&whole).unwrap(), expected);
    let handles = PaymentInfoChange { venmo_username: some("ana"), ..Default::default() };
    let paid = UpdateProfileRequest { data: Some(ProfileDataChange { payment_info: Some(handles) }), ..whole.clone() };
    assert_eq!(read(&paid).unwrap(), Changes { venmo: some("ana"), paypal: some(""), ..expected.clone() });
    let empty = UpdateProfileRequest { data: Some(ProfileDataChange::default()), ..whole };
    assert_eq!(read(&empty).unwrap(), expected, "no payment_info was given");
    let nothing = UpdateProfileRequest { whole: true, ..Default::default() };
    assert_eq!(refused(&nothing), [(FIRST_NAME.to_owned(), "REQUIRED", "Please enter both first and last name.".to_owned())]);
}

#[test]
fn of_a_mask_what_is_named_changes_and_what_is_named_and_absent_is_cleared() {
    let asked = UpdateProfileRequest { details: Some(ana()), ..masked(&["details.last_name", "details.display_name"]) };
    assert_eq!(read(&asked).unwrap(), Changes { last_name: some("Silva"), display_name: some(""), ..Default::default() });
    let cleared = masked(&["details.country_code", "details.time_zone", "details.phone_number", "data.payment_info"]);
    let expected =
        Changes { country: some("US"), zone: some("UTC"), number: some(""), venmo: some(""), paypal: some(""), ..Default::default() };
    assert_eq!(read(&cleared).unwrap(), expected);
    let there = UpdateProfileRequest { details: Some(DetailsChange::default()), ..masked(&["details"]) };
    assert_eq!(read(&there).unwrap(), Changes::default(), "what is there and empty says nothing");
    assert_eq!(refused(&masked(&["details"]))[0].0, FIRST_NAME, "it cannot be cleared");
    for path in ["uid", "details.email", "data.x", "detail", "details.first", "", "whole"] {
        assert_eq!(refused(&masked(&[path]))[0].0, "update_mask", "{path}");
    }
}

#[test]
fn without_a_mask_what_is_set_changes() {
    assert_eq!(read(&UpdateProfileRequest::default()).unwrap(), Changes::default());
    let asked = UpdateProfileRequest { details: Some(ana()), ..masked(&[]) };
    let expected = Changes { first_name: some("Ana"), last_name: some("Silva"), number: some("(555) 123-4567"), ..Default::default() };
    assert_eq!(read(&asked).unwrap(), expected);
}

#[test]
fn every_refusal_names_its_field() {
    let details = DetailsChange {
        display_name: some("A\u{7}B"),
        first_name: some("\u{200B} "),
        country_code: some("ZZ"),
        time_zone: some("Mars/Base"),
        ..Default::default()
    };
    let asked = UpdateProfileRequest { details: Some(details), ..Default::default() };
    let fields: Vec<_> = refused(&asked).into_iter().map(|(field, reason, _)| (field, reason)).collect();
    let expected = [(FIRST_NAME, "REQUIRED"), (DISPLAY_NAME, "INVALID"), (COUNTRY_CODE, "UNKNOWN_WORD"), (ZONE, "UNKNOWN_WORD")];
    assert_eq!(fields, expected.map(|(field, reason)| (field.to_owned(), reason)));
}

#[test]
fn the_number_is_read_by_the_country_that_holds_and_the_picture_is_the_present_one() {
    let german = Kept { country: "DE".into(), ..Kept::default() };
    let said =
        |number: &str, country: Option<&str>| Changes { number: some(number), country: country.map(str::to_owned), ..Default::default() };
    let number = |changes: Changes, kept: &Kept| changes.wanted(kept, |_| false, Some("+49030777777")).map(|wanted| wanted.number.unwrap());
    assert_eq!(number(said("0170 1234567", None), &german).unwrap(), "+491701234567");
    assert_eq!(number(said("5551234567", Some("US")), &german).unwrap(), "+15551234567");
    assert_eq!(number(said("", None), &german).unwrap(), "");
    let refused = number(said("555", None), &Kept::default()).unwrap_err();
    assert_eq!(refused.fields().collect::<Vec<_>>(), [(NUMBER, "INVALID", "Please enter a valid phone number")]);
    let picture = |said: &str| Changes { picture: some(said), ..Default::default() }.wanted(&german, |said| said == "/p/1", None);
    assert!(picture("").is_ok() && picture("/p/1").is_ok());
    assert_eq!(picture("/p/2").unwrap_err().fields().next().unwrap().0, PICTURE);
}

#[test]
fn a_number_that_was_given_is_not_asked_for_again() {
    let given = Changes { number: some("5551234567"), venmo: some("ana"), ..Default::default() }.apply(&Kept::default());
    assert_eq!(given, Kept { venmo: "ana".into(), phone_step_done: true, ..Kept::default() });
    let removed = Changes { number: some(""), ..Default::default() };
    assert!(removed.apply(&given).phone_step_done && !removed.apply(&Kept::default()).phone_step_done);
}
