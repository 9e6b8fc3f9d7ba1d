//! `goodturn members`.

use super::{Desk, NotThere, audit::Entry, print::at, store};
use crate::{
    config::{Audit, Create, List, MembersAction, Named},
    db::Tx,
    error::{Error, Reason},
    identity::{
        Member,
        operations::{self, Guards, Listed, Removed, SignIn, Standing},
    },
    ids::MemberId,
    read, transact,
};
use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use std::fmt::Write as _;
use uuid::Uuid;

impl Desk {
    /// Does one of them.
    pub(super) async fn members(&self, action: MembersAction) -> Result<()> {
        match action {
            MembersAction::Create(new) => self.create(new).await,
            MembersAction::ResetPassword(named) => self.reset_password(&named).await,
            MembersAction::Disable(named) => self.disable(&named).await,
            MembersAction::Enable(named) => self.enable(&named).await,
            MembersAction::List(page) => self.list(&page).await,
            MembersAction::Show(named) => self.show(&named).await,
            MembersAction::SignOut(named) => self.sign_out(&named).await,
            MembersAction::RemoveFactors(named) => self.remove_factors(&named).await,
            MembersAction::Export(export) => self.export(&export).await,
            MembersAction::Delete(delete) => self.delete(&delete).await,
            MembersAction::Audit(page) => self.audit(&page).await,
        }
    }

    /// Notes a use, last in its transaction.
    pub(super) async fn note(&self, tx: &mut Tx, action: &str, member: Option<MemberId>, details: Value) -> crate::error::Result<()> {
        let (id, at, operator) = (self.deps.ids.uuid(), self.deps.clock.now(), self.operator.0.clone());
        store::insert(tx, &Entry { id, at, operator, action: action.to_owned(), member, details }).await
    }

    async fn create(&self, Create { email, name, given_name, family_name, zone }: Create) -> Result<()> {
        let [name, given_name, family_name] = [name, given_name, family_name].map(Option::unwrap_or_default);
        let password = operations::temporary_password(&self.pool);
        let new = operations::read(&email, (&name, &given_name, &family_name), &zone, password).map_err(|e| plain(&e))?;
        let prepared = operations::prepare(&self.pool, &new).await?;
        let made = transact!(self.deps.pool, |tx| {
            let (id, until) = operations::create(&self.pool, tx, &prepared).await?;
            self.note(tx, "members-create", Some(id), json!({"temporary_until": at(until)})).await?;
            Ok((id, until))
        });
        let (id, until) = made.map_err(|e| if e.reason() == Reason::UsernameExists { plain(&e) } else { e.into() })?;
        let (password, until) = (new.password, at(until));
        let text = format!("{id}\nTemporary password, shown this once, good until {until}:\n{password}");
        let json = json!({"id": id, "email": new.email, "temporaryPassword": password, "temporaryUntil": until});
        Ok(self.out.tell(&text, &json)?)
    }

    async fn reset_password(&self, named: &Named) -> Result<()> {
        let member = self.found(named).await?;
        let password = operations::temporary_password(&self.pool);
        let verifier = operations::prepare_password(&self.pool, member.id, &password).await?;
        let (until, ended) = transact!(self.deps.pool, |tx| {
            let (until, ended) = operations::reset_password(&self.pool, tx, &member, &verifier).await?;
            self.note(tx, "members-reset-password", Some(member.id), json!({"temporary_until": at(until), "sessions_ended": ended}))
                .await?;
            Ok((until, ended))
        })?;
        let until = at(until);
        let text = format!("Sessions ended: {ended}\nTemporary password, shown this once, good until {until}:\n{password}");
        let json = json!({"id": member.id, "temporaryPassword": password, "temporaryUntil": until, "sessionsEnded": ended});
        Ok(self.out.tell(&text, &json)?)
    }

    async fn disable(&self, named: &Named) -> Result<()> {
        let member = self.found(named).await?;
        let (changed, ended) = transact!(self.deps.pool, |tx| {
            let (changed, ended) = operations::disable(&self.pool, tx, member.id).await?;
            self.note(tx, "members-disable", Some(member.id), json!({"changed": changed, "sessions_ended": ended})).await?;
            Ok((changed, ended))
        })?;
        let text = format!("{}. Sessions ended: {ended}", if changed { "Disabled" } else { "Was disabled already" });
        Ok(self.out.tell(&text, &json!({"id": member.id, "changed": changed, "sessionsEnded": ended}))?)
    }

    async fn enable(&self, named: &Named) -> Result<()> {
        let member = self.found(named).await?;
        let changed = transact!(self.deps.pool, |tx| {
            let changed = operations::enable(tx, member.id).await?;
            self.note(tx, "members-enable", Some(member.id), json!({"changed": changed})).await?;
            Ok(changed)
        })?;
        let text = if changed { "Enabled." } else { "Was not disabled." };
        Ok(self.out.tell(text, &json!({"id": member.id, "changed": changed}))?)
    }

    async fn sign_out(&self, named: &Named) -> Result<()> {
        let member = self.found(named).await?;
        let ended = transact!(self.deps.pool, |tx| {
            let ended = operations::sign_out(&self.pool, tx, member.id).await?;
            self.note(tx, "members-sign-out", Some(member.id), json!({"sessions_ended": ended})).await?;
            Ok(ended)
        })?;
        Ok(self.out.tell(&format!("Sessions ended: {ended}"), &json!({"id": member.id, "sessionsEnded": ended}))?)
    }

    async fn remove_factors(&self, named: &Named) -> Result<()> {
        let member = self.found(named).await?;
        let Removed { factors, devices, sessions } = transact!(self.deps.pool, |tx| {
            let removed = operations::remove_factors(&self.pool, tx, member.id).await?;
            let Removed { factors, devices, sessions } = &removed;
            let details = json!({"factors": factors, "devices": devices, "sessions_ended": sessions});
            self.note(tx, "members-remove-factors", Some(member.id), details).await?;
            Ok(removed)
        })?;
        let text = if factors { "Second factors removed" } else { "There were no second factors" };
        let text = format!("{text}. Devices forgotten: {devices}. Sessions ended: {sessions}");
        Ok(self.out.tell(&text, &json!({"id": member.id, "removed": factors, "devicesForgotten": devices, "sessionsEnded": sessions}))?)
    }

    async fn list(&self, page: &List) -> Result<()> {
        let after = match &page.after {
            Some(named) => Some(self.found(&Named { member: named.clone() }).await?.id),
            None => None,
        };
        // One more than is told: whether the list goes on.
        let mut members = transact!(self.deps.pool, |tx| {
            let members = operations::list(tx, after, page.limit + 1).await?;
            self.note(tx, "members-list", None, json!({"limit": page.limit, "after": after})).await?;
            Ok(members)
        })?;
        let next = shorten(&mut members, page.limit).map(|last| last.id);
        let now = self.deps.clock.now();
        let mut text = members.iter().map(|m| line(m, m.standing.word(now))).collect::<Vec<_>>().join("\n");
        if let Some(next) = next {
            let _ = write!(text, "\nThere are more: --after {next}");
        }
        let members: Vec<Value> = members.iter().map(|m| json_of(m, m.standing.word(now))).collect();
        Ok(self.out.tell(&text, &json!({"members": members, "next": next}))?)
    }

    async fn show(&self, named: &Named) -> Result<()> {
        let found = transact!(self.deps.pool, |tx| {
            let Some(member) = operations::find(tx, &named.member).await? else { return Ok(None) };
            let guards = operations::guards(tx, member.id).await?;
            let (standing, sessions) = operations::sessions(&self.pool, tx, member.id).await?;
            self.note(tx, "members-show", Some(member.id), json!({})).await?;
            Ok(Some((Shown { member, standing, guards }, sessions)))
        })?;
        let (shown, sessions) = found.ok_or_else(|| nobody(&named.member))?;
        let state = shown.standing.word(self.deps.clock.now());
        Ok(self.out.tell(&text_of(&shown, state, &sessions), &profile(&shown, state, &sessions))?)
    }

    async fn audit(&self, page: &Audit) -> Result<()> {
        let member = match &page.member {
            Some(named) => Some(self.who(named).await?),
            None => None,
        };
        let mut entries = transact!(self.deps.pool, |tx| {
            let entries = store::list(tx, member, page.after, page.limit + 1).await?;
            self.note(tx, "members-audit", member, json!({"limit": page.limit})).await?;
            Ok(entries)
        })?;
        let next = shorten(&mut entries, page.limit).map(|last| last.id);
        let whom = |e: &Entry| e.member.map_or_else(|| "-".to_owned(), |id| id.to_string());
        let line = |e: &Entry| format!("{}  {}  {}  {}  {}", at(e.at), e.operator, e.action, whom(e), e.details);
        let mut text = entries.iter().map(line).collect::<Vec<_>>().join("\n");
        if let Some(next) = next {
            let _ = write!(text, "\nThere are more: --after {next}");
        }
        let json = |e: &Entry| json!({"id": e.id, "at": at(e.at), "operator": e.operator, "action": e.action, "member": e.member, "details": e.details});
        Ok(self.out.tell(&text, &json!({"entries": entries.iter().map(json).collect::<Vec<_>>(), "next": next}))?)
    }

    /// The member who is named.
    pub(super) async fn found(&self, Named { member }: &Named) -> Result<Member> {
        let found = read!(self.deps.pool, |conn| operations::find(conn, member).await)?;
        found.ok_or_else(|| nobody(member))
    }

    /// The id that is named, of a member or of one who is deleted.
    async fn who(&self, named: &str) -> Result<MemberId> {
        match Uuid::parse_str(named) {
            Ok(id) => Ok(MemberId(id)),
            Err(_) => Ok(self.found(&Named { member: named.to_owned() }).await?.id),
        }
    }
}

fn nobody(named: &str) -> anyhow::Error {
    NotThere(format!("there is no member {named}")).into()
}

/// A refusal that the operator can mend, without the name of its reason.
fn plain(error: &Error) -> anyhow::Error {
    anyhow!("{}", error.message())
}

/// Takes off what is more than the limit; the last one that is left, if there was more.
fn shorten<T>(page: &mut Vec<T>, limit: i64) -> Option<&T> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = page.len() > limit;
    page.truncate(limit);
    page.last().filter(|_| more)
}

fn line(m: &Listed, state: &str) -> String {
    format!("{}  {}  {state:<18}  {}  {}", m.id, at(m.created_at), m.email, m.name)
}

fn json_of(m: &Listed, state: &str) -> Value {
    json!({"id": m.id, "email": m.email, "name": m.name, "since": at(m.created_at), "state": state})
}

/// A member, as `show` tells them.
struct Shown {
    member: Member,
    standing: Standing,
    guards: Guards,
}

fn text_of(Shown { member, standing, guards }: &Shown, state: &str, sessions: &[SignIn]) -> String {
    let mut lines = vec![
        ("id", member.id.to_string()),
        ("address", member.email.clone()),
        ("name", member.name.clone()),
        ("shown as", member.display_name()),
        ("zone", member.time_zone.clone()),
        ("since", at(member.created_at)),
        ("state", state.to_owned()),
    ];
    lines.extend(standing.disabled_at.map(|since| ("disabled since", at(since))));
    lines.extend(standing.temporary_until.map(|until| ("password until", at(until))));
    let on = |is| if is { "on" } else { "off" };
    lines.push(("authenticator", format!("{}, recovery codes: {}", on(guards.authenticator), guards.recovery_codes)));
    lines.push(("codes by SMS", on(guards.sms).to_owned()));
    lines.push(("devices", guards.devices.to_string()));
    lines.push(("open sessions", sessions.len().to_string()));
    let mut text: String = lines.iter().map(|(name, value)| format!("{name:<15} {value}\n")).collect();
    for s in sessions {
        let refreshed = s.refreshed_at.map_or_else(|| "never".to_owned(), at);
        let _ =
            writeln!(text, "  {}  {}  since {}  refreshed {refreshed}  until {}", s.id, s.client_id, at(s.started_at), at(s.expires_at));
    }
    text
}

fn profile(Shown { member, standing, guards }: &Shown, state: &str, sessions: &[SignIn]) -> Value {
    let session = |s: &SignIn| {
        let refreshed = s.refreshed_at.map(at);
        json!({"id": s.id, "client": s.client_id, "startedAt": at(s.started_at), "refreshedAt": refreshed, "expiresAt": at(s.expires_at)})
    };
    json!({
        "id": member.id,
        "email": member.email,
        "name": member.name,
        "givenName": member.given_name,
        "familyName": member.family_name,
        "displayName": member.display_name(),
        "zone": member.time_zone,
        "since": at(member.created_at),
        "state": state,
        "disabledAt": standing.disabled_at.map(at),
        "temporaryUntil": standing.temporary_until.map(at),
        "authenticator": guards.authenticator,
        "sms": guards.sms,
        "recoveryCodes": guards.recovery_codes,
        "devices": guards.devices,
        "sessions": sessions.iter().map(session).collect::<Vec<_>>(),
    })
}
