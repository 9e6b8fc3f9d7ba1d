//! The mail of an invitation, to somebody who did not ask for it: one at most. It is noted before it is sent, and waits again only when the mail
//! server has refused it; when nobody knows whether the server has it, it is not sent again.

use super::{REFUSES_FOR, welcome};
use crate::{
    adapters::{
        letter::Letter,
        mail::{Mailer, is_refused},
    },
    friends::{Invitation, store},
    identity::{Member, UserPool, harmless, store as members},
    ids::InvitationId,
    jobs,
    mail_links::{MailLinks, Purpose},
    read, transact,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use time::{UtcOffset, macros::format_description};

const TASK: &str = "send_invitation";

/// Mails invitations.
pub struct SendInvitation {
    /// Whose links, and where they are.
    pub pool: Arc<UserPool>,
    /// How.
    pub mailer: Arc<dyn Mailer>,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    invitation: InvitationId,
}

/// The job that mails one; of none, it does nothing.
pub fn job(invitation: InvitationId) -> jobs::Job<'static> {
    jobs::Job::new(jobs::Class::Mail, TASK, json!(Payload { invitation }))
}

#[tonic::async_trait]
impl jobs::Handler for SendInvitation {
    fn class(&self) -> jobs::Class {
        jobs::Class::Mail
    }

    fn task(&self) -> &'static str {
        TASK
    }

    /// Mails it once each time that it is sent; not to who is a member by now or wants none, and of nobody who has left.
    async fn run(&self, payload: &Value) -> anyhow::Result<()> {
        let Payload { invitation } = Payload::deserialize(payload)?;
        let (deps, now) = (self.pool.deps(), self.pool.deps().clock.now());
        let found = read!(deps.pool, |conn| {
            let Some((invitation, address)) = store::invitations::unmailed(conn, invitation, now).await? else { return Ok(None) };
            let member = members::member_by_email(conn, &invitation.email).await?;
            Ok(members::member(conn, invitation.inviter).await?.map(|inviter| (invitation, address, inviter, member)))
        })?;
        let Some((invitation, address, inviter, member)) = found else { return Ok(()) };
        if let Some(member) = member {
            // Who joined at the moment at which they were invited is welcomed now.
            if invitation.was_nobodys {
                transact!(deps.pool, |tx| welcome(tx, deps, member.id).await)?;
            }
            return Ok(());
        }
        let mail = letter(&self.pool.mail_links(), &invitation, &address, &inviter)?.to(invitation.email.clone());
        // Before it is noted: an outage costs nobody a mail.
        self.mailer.reachable().await?;
        if !transact!(deps.pool, |tx| store::invitations::mailed(tx, &invitation, now).await)? {
            return Ok(());
        }
        let sent = self.mailer.send(mail).await;
        if is_refused(&sent) {
            transact!(deps.pool, |tx| store::invitations::not_mailed(tx, &invitation, now).await)?;
        }
        sent
    }
}

/// To somebody who did not ask for it: of what a stranger wrote nothing becomes a link.
fn letter(links: &MailLinks, of: &Invitation, address: &[u8], inviter: &Member) -> anyhow::Result<Letter> {
    let name = harmless(&inviter.display_name());
    let until = of.expires_at.to_offset(UtcOffset::UTC).format(format_description!("[month repr:long] [day padding:none], [year]"))?;
    let join = links.page(Purpose::Join, &links.sign(Purpose::Join, of.id.0.as_bytes(), of.expires_at));
    let refuse = links.page(Purpose::NoInvitations, &links.sign(Purpose::NoInvitations, address, of.sent_at + REFUSES_FOR));
    let letter = Letter::new(format!("{name} invited you to Goodturn"))
        .paragraph("On Goodturn, friends and neighbors ask each other for favors and lend each other things.");
    let letter = if of.message.is_empty() { letter } else { letter.paragraph(format!("{name} wrote:")).quote(&of.message) };
    Ok(letter
        .button("Join Goodturn", join)
        .paragraph(format!("You can use the link once, until {until}. After you join, you'll have a friend request from {name}."))
        .because(format!("You're getting this email because {name} entered your address. If you don't know them, ignore this email."))
        .way_out("Stop Goodturn invitations to this address", refuse))
}
