"""pycognito, which signs in by SRP, checks its tokens by the published keys, and proves devices without a Session."""

from pycognito import Cognito
from pycognito.aws_srp import AWSSRP, generate_hash_device
from pycognito.exceptions import ForceChangePasswordException, SMSMFAChallengeException, SoftwareTokenMFAChallengeException
from talk import (
    INCORRECT, MISMATCH, NEW, PASSWORD, PHONES, POOL, REVOKED, SECRET, URL,
    advance, another, code_for, refused, reset_password, totp,
)


def user(email, client="plain"):
    secret = SECRET if client == "partner" else None
    return Cognito(POOL, client, username=email, client_secret=secret, boto3_client_kwargs={"endpoint_url": URL})


def account(email, client):
    new = user(email, client)
    new.set_base_attributes(email=email, name="Py Cognito")
    made = new.register(email, PASSWORD)
    assert made["UserConfirmed"] is False, made
    errors = new.client.exceptions
    refused(errors.UserNotConfirmedException, "User is not confirmed.", new.authenticate, PASSWORD)
    first = code_for(email, "verification code")
    refused(errors.CodeMismatchException, MISMATCH, new.confirm_sign_up, another(first))
    new.resend_confirmation_code(email)
    new.confirm_sign_up(code_for(email, "verification code"))
    refused(errors.NotAuthorizedException, INCORRECT, new.authenticate, "wrong password")
    new.authenticate(PASSWORD)
    assert new.access_claims["username"] == made["UserSub"] and new.id_claims["email"] == email
    new.verify_tokens()
    assert new.check_token() is False
    told = new.get_user()
    assert (told.sub, told.email_verified, told.name) == (made["UserSub"], True, "Py Cognito")
    refresh_token = new.refresh_token
    new.renew_access_token()
    assert new.refresh_token == refresh_token
    new.change_password(PASSWORD, NEW)
    new.initiate_forgot_password()
    code = code_for(email, "new password")
    refused(errors.CodeMismatchException, MISMATCH, new.confirm_forgot_password, another(code), PASSWORD)
    new.confirm_forgot_password(code, PASSWORD)
    refused(errors.NotAuthorizedException, REVOKED, new.get_user)
    temporary = reset_password(made["UserSub"])
    try:
        new.authenticate(temporary)
        raise AssertionError("a temporary password let in")
    except ForceChangePasswordException:
        pass
    new.new_password_challenge(temporary, NEW)
    new.logout()
    new.authenticate(NEW)
    factors(new, made["UserSub"], email, client)


def phone(settings, number):
    settings.update_profile({"phone_number": number})
    code_for(number, "code")
    settings.send_verification("phone_number")
    code = code_for(number, "code")
    refused(settings.client.exceptions.CodeMismatchException, MISMATCH, settings.validate_verification, another(code), "phone_number")
    settings.validate_verification(code, "phone_number")
    told = settings.get_user()
    assert (told.phone_number, told.phone_number_verified) == (number, True)


def factors(settings, uid, email, client):
    number = PHONES[client == "partner"]
    phone(settings, number)
    secret = settings.associate_software_token()
    errors = settings.client.exceptions
    refused(errors.EnableSoftwareTokenMFAException, None, settings.verify_software_token, another(totp(secret)))
    assert settings.verify_software_token(totp(secret), "Mine") is True
    settings.set_user_mfa_preference(False, True, "SOFTWARE_TOKEN")
    advance(30)
    new = user(email, client)
    try:
        new.authenticate(NEW)
        raise AssertionError("the password alone let in")
    except SoftwareTokenMFAChallengeException as challenge:
        refused(errors.CodeMismatchException, MISMATCH, new.respond_to_software_token_mfa_challenge, another(totp(secret)))
        new.respond_to_software_token_mfa_challenge(totp(secret), challenge.get_tokens())
    new.set_user_mfa_preference(True, True, "SMS")
    try:
        new.authenticate(NEW)
        raise AssertionError("the password alone let in")
    except SMSMFAChallengeException:
        new.respond_to_sms_mfa_challenge(code_for(number, "code"))
    assert new.get_user().sub == uid
    new.set_user_mfa_preference(False, False)
    new.authenticate(NEW)


def device(email, client="always"):
    """Its own confirm_device posts to the address of another house, so that boto3 makes the call with what it computes."""
    boto = user(email).client
    first = AWSSRP(email, NEW, POOL, client, client=boto).authenticate_user()["AuthenticationResult"]
    metadata = first["NewDeviceMetadata"]
    for _ in range(2):
        password, config = generate_hash_device(metadata["DeviceGroupKey"], metadata["DeviceKey"])
        confirm = {"AccessToken": first["AccessToken"], "DeviceKey": metadata["DeviceKey"]}
        confirmed = boto.confirm_device(**confirm, DeviceSecretVerifierConfig=config, DeviceName="A script")
    assert confirmed["UserConfirmationNecessary"] is False
    named = {"device_key": metadata["DeviceKey"], "device_group_key": metadata["DeviceGroupKey"]}
    again = AWSSRP(email, NEW, POOL, client, client=boto, **named, device_password=password).authenticate_user()
    assert "NewDeviceMetadata" not in again["AuthenticationResult"], again
    refused(
        boto.exceptions.NotAuthorizedException, INCORRECT,
        AWSSRP(email, NEW, POOL, client, client=boto, **named, device_password="wrong").authenticate_user,
    )
    boto.forget_device(AccessToken=again["AuthenticationResult"]["AccessToken"], DeviceKey=metadata["DeviceKey"])
    refused(
        boto.exceptions.ResourceNotFoundException, None,
        AWSSRP(email, NEW, POOL, client, client=boto, **named, device_password=password).authenticate_user,
    )


account("py@example.org", "plain")
account("py-partner@example.org", "partner")
for _ in range(3):
    device("py@example.org")
leaver = user("py@example.org")
leaver.authenticate(NEW)
leaver.delete_user()
refused(leaver.client.exceptions.NotAuthorizedException, INCORRECT, leaver.authenticate, NEW)
