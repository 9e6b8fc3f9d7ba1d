"""boto3 without credentials: every operation, and the exceptions and types that it makes of the answers."""

import datetime
import hashlib
import hmac
import base64

import boto3
from botocore.config import Config
from talk import (
    INCORRECT, MISMATCH, NEW, PASSWORD, PHONES, REVOKED, SECRET, URL,
    advance, another, code_for, refused, reset_password, totp,
)

idp = boto3.client("cognito-idp", region_name="us-east-1", endpoint_url=URL, config=Config(retries={"total_max_attempts": 1}))
errors = idp.exceptions
EMAIL = "boto@example.org"


def secret_hash(username):
    mac = hmac.new(SECRET.encode(), f"{username}partner".encode(), hashlib.sha256)
    return base64.b64encode(mac.digest()).decode()


def sign_up():
    account = {"ClientId": "plain", "Username": EMAIL}
    attributes = [{"Name": "name", "Value": "Bo To"}, {"Name": "zoneinfo", "Value": "Europe/Paris"}]
    refused(errors.InvalidPasswordException, None, idp.sign_up, **account, Password="shorts!", UserAttributes=attributes)
    made = idp.sign_up(**account, Password=PASSWORD, UserAttributes=attributes, ValidationData=[{"Name": "a", "Value": "b"}])
    assert made["UserConfirmed"] is False and made["ResponseMetadata"]["RequestId"], made
    assert made["CodeDeliveryDetails"] == {"Destination": "b***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email"}
    first = code_for(EMAIL, "verification code")
    refused(errors.UserNotConfirmedException, "User is not confirmed.", enter)
    refused(errors.CodeMismatchException, MISMATCH, idp.confirm_sign_up, **account, ConfirmationCode=another(first))
    idp.resend_confirmation_code(**account)
    idp.confirm_sign_up(**account, ConfirmationCode=code_for(EMAIL, "verification code"))
    refused(errors.NotAuthorizedException, None, idp.confirm_sign_up, **account, ConfirmationCode=first)
    # At a member's address a sign-up is answered as any other, and its mail tells the owner.
    assert idp.sign_up(**account, Password=PASSWORD, UserAttributes=attributes)["UserConfirmed"] is False
    refused(errors.ResourceNotFoundException, None, idp.sign_up, ClientId="nobody", Username=EMAIL, Password=PASSWORD)
    return made["UserSub"]


def enter(password=PASSWORD, client="plain", **more):
    parameters = {"USERNAME": EMAIL, "PASSWORD": password, **more}
    if client == "partner":
        parameters["SECRET_HASH"] = secret_hash(EMAIL)
    return idp.initiate_auth(ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters=parameters)


def answer(asked, client="plain", **responses):
    return idp.respond_to_auth_challenge(
        ClientId=client, ChallengeName=asked["ChallengeName"], Session=asked["Session"], ChallengeResponses={"USERNAME": EMAIL, **responses}
    )


def passwords(uid):
    refused(errors.NotAuthorizedException, INCORRECT, enter, "wrong password")
    tokens = enter()["AuthenticationResult"]
    user = idp.get_user(AccessToken=tokens["AccessToken"])
    attributes = {a["Name"]: a["Value"] for a in user["UserAttributes"]}
    assert (user["Username"], attributes["sub"], attributes["zoneinfo"]) == (uid, uid, "Europe/Paris"), user
    refreshed = idp.initiate_auth(ClientId="plain", AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": tokens["RefreshToken"]})
    assert "RefreshToken" not in refreshed["AuthenticationResult"]
    change = {"AccessToken": tokens["AccessToken"], "PreviousPassword": PASSWORD}
    refused(errors.InvalidPasswordException, None, idp.change_password, **change, ProposedPassword="shorts!")
    idp.change_password(**change, ProposedPassword=NEW)
    refused(errors.NotAuthorizedException, INCORRECT, idp.change_password, **change, ProposedPassword=PASSWORD)
    account = {"ClientId": "plain", "Username": EMAIL}
    assert idp.forgot_password(**account)["CodeDeliveryDetails"]["AttributeName"] == "email"
    code = code_for(EMAIL, "new password")
    refused(errors.CodeMismatchException, MISMATCH, idp.confirm_forgot_password, **account, ConfirmationCode=another(code), Password=PASSWORD)
    idp.confirm_forgot_password(**account, ConfirmationCode=code, Password=PASSWORD)
    refused(errors.ExpiredCodeException, None, idp.confirm_forgot_password, **account, ConfirmationCode=code, Password=PASSWORD)
    refused(errors.NotAuthorizedException, REVOKED, idp.get_user, AccessToken=tokens["AccessToken"])
    asked = idp.initiate_auth(ClientId="plain", AuthFlow="CUSTOM_AUTH", AuthParameters={"USERNAME": EMAIL})
    assert answer(asked, ANSWER=code_for(EMAIL, "is signing in"))["AuthenticationResult"]["IdToken"]
    asked = enter(reset_password(uid))
    assert asked["ChallengeName"] == "NEW_PASSWORD_REQUIRED" and asked["ChallengeParameters"]["requiredAttributes"] == "[]"
    refused(errors.InvalidPasswordException, None, answer, asked, NEW_PASSWORD="shorts!")
    assert answer(asked, NEW_PASSWORD=PASSWORD)["AuthenticationResult"]["TokenType"] == "Bearer"


def attributes():
    token = {"AccessToken": enter()["AuthenticationResult"]["AccessToken"]}
    number = {"Name": "phone_number", "Value": PHONES[0]}
    sent = idp.update_user_attributes(**token, UserAttributes=[number, {"Name": "family_name", "Value": "Three"}])
    assert [d["DeliveryMedium"] for d in sent["CodeDeliveryDetailsList"]] == ["SMS"], sent
    code_for(PHONES[0], "code")
    of_phone = {**token, "AttributeName": "phone_number"}
    advance(1)
    assert idp.get_user_attribute_verification_code(**of_phone)["CodeDeliveryDetails"]["AttributeName"] == "phone_number"
    code = code_for(PHONES[0], "code")
    refused(errors.CodeMismatchException, MISMATCH, idp.verify_user_attribute, **of_phone, Code=another(code))
    idp.verify_user_attribute(**of_phone, Code=code)
    refused(errors.ExpiredCodeException, None, idp.verify_user_attribute, **of_phone, Code=code)
    idp.delete_user_attributes(**token, UserAttributeNames=["zoneinfo"])
    refused(errors.InvalidParameterException, None, idp.delete_user_attributes, **token, UserAttributeNames=["sub"])
    told = {a["Name"]: a["Value"] for a in idp.get_user(**token)["UserAttributes"]}
    assert (told["phone_number_verified"], told["family_name"]) == ("true", "Three"), told


def set_up():
    asked = enter(client="strict")
    assert asked["ChallengeName"] == "MFA_SETUP", asked
    made = idp.associate_software_token(Session=asked["Session"])
    verified = idp.verify_software_token(Session=made["Session"], UserCode=totp(made["SecretCode"]))
    entered = answer({"ChallengeName": "MFA_SETUP", "Session": verified["Session"]}, client="strict")
    off = {"SoftwareTokenMfaSettings": {"Enabled": False}}
    # This client asks for the password alone, which does not take the factor away.
    lax = enter(client="lax")["AuthenticationResult"]["AccessToken"]
    refused(errors.NotAuthorizedException, None, idp.set_user_mfa_preference, AccessToken=lax, **off)
    idp.set_user_mfa_preference(AccessToken=entered["AuthenticationResult"]["AccessToken"], **off)
    assert enter(client="strict")["ChallengeName"] == "SOFTWARE_TOKEN_MFA"


def factors():
    token = {"AccessToken": enter()["AuthenticationResult"]["AccessToken"]}
    secret = idp.associate_software_token(**token)["SecretCode"]
    wrong = another(totp(secret))
    refused(errors.EnableSoftwareTokenMFAException, None, idp.verify_software_token, **token, UserCode=wrong)
    assert idp.verify_software_token(**token, UserCode=totp(secret), FriendlyDeviceName="Mine")["Status"] == "SUCCESS"
    idp.set_user_mfa_preference(**token, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})
    advance(30)
    asked = enter()
    assert asked["ChallengeName"] == "SOFTWARE_TOKEN_MFA"
    refused(errors.CodeMismatchException, MISMATCH, answer, asked, SOFTWARE_TOKEN_MFA_CODE=another(totp(secret)))
    assert answer(asked, SOFTWARE_TOKEN_MFA_CODE=totp(secret))["AuthenticationResult"]
    idp.set_user_settings(**token, MFAOptions=[{"DeliveryMedium": "SMS", "AttributeName": "phone_number"}])
    idp.set_user_mfa_preference(**token, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": False})
    asked = enter()
    assert asked["ChallengeName"] == "SELECT_MFA_TYPE"
    asked = answer(asked, ANSWER="SMS_MFA")
    assert answer(asked, SMS_MFA_CODE=code_for(PHONES[0], "code"))["AuthenticationResult"]
    settings = idp.get_user(**token)
    assert settings["UserMFASettingList"] == ["SMS_MFA", "SOFTWARE_TOKEN_MFA"] and settings["MFAOptions"], settings
    idp.set_user_settings(**token, MFAOptions=[])
    idp.set_user_mfa_preference(**token, SMSMfaSettings={"Enabled": False}, SoftwareTokenMfaSettings={"Enabled": False})


def devices():
    tokens = enter(client="asking")["AuthenticationResult"]
    device = {"AccessToken": tokens["AccessToken"], "DeviceKey": tokens["NewDeviceMetadata"]["DeviceKey"]}
    config = {"Salt": base64.b64encode(b"0" * 16).decode(), "PasswordVerifier": base64.b64encode(b"7" * 384).decode()}
    confirmed = idp.confirm_device(**device, DeviceSecretVerifierConfig=config, DeviceName="A script")
    assert confirmed["UserConfirmationNecessary"] is True
    idp.update_device_status(**device, DeviceRememberedStatus="remembered")
    told = idp.get_device(**device)["Device"]
    assert isinstance(told["DeviceCreateDate"], datetime.datetime), told
    listed = idp.list_devices(AccessToken=tokens["AccessToken"], Limit=10)
    assert [d["DeviceKey"] for d in listed["Devices"]] == [device["DeviceKey"]] and "PaginationToken" not in listed, listed
    bound = {"REFRESH_TOKEN": tokens["RefreshToken"]}
    refresh = {"ClientId": "asking", "AuthFlow": "REFRESH_TOKEN_AUTH"}
    refused(errors.NotAuthorizedException, "Invalid Refresh Token", idp.initiate_auth, **refresh, AuthParameters=bound)
    idp.initiate_auth(**refresh, AuthParameters={**bound, "DEVICE_KEY": device["DeviceKey"]})
    gone = f"{device['DeviceKey'][:-4]}0000"
    refused(errors.ResourceNotFoundException, None, enter, client="asking", DEVICE_KEY=gone)
    idp.forget_device(**device)
    refused(errors.NotAuthorizedException, REVOKED, idp.get_device, **device)


def endings():
    tokens = enter(client="partner")["AuthenticationResult"]
    by_hash = {"REFRESH_TOKEN": tokens["RefreshToken"], "SECRET_HASH": secret_hash(EMAIL)}
    idp.initiate_auth(ClientId="partner", AuthFlow="REFRESH_TOKEN", AuthParameters=by_hash)
    by_secret = {"ClientId": "partner", "ClientSecret": SECRET}
    assert "RefreshToken" not in idp.get_tokens_from_refresh_token(**by_secret, RefreshToken=tokens["RefreshToken"])["AuthenticationResult"]
    refused(errors.NotAuthorizedException, None, idp.revoke_token, ClientId="partner", Token=tokens["RefreshToken"])
    refused(errors.UnsupportedTokenTypeException, None, idp.revoke_token, **by_secret, Token=tokens["IdToken"])
    idp.revoke_token(**by_secret, Token=tokens["RefreshToken"])
    refused(errors.NotAuthorizedException, REVOKED, idp.get_user, AccessToken=tokens["AccessToken"])
    tokens = enter(client="rotating")["AuthenticationResult"]
    by_call = {"ClientId": "rotating", "RefreshToken": tokens["RefreshToken"]}
    successor = idp.get_tokens_from_refresh_token(**by_call)["AuthenticationResult"]["RefreshToken"]
    by_flow = {"ClientId": "rotating", "AuthFlow": "REFRESH_TOKEN_AUTH", "AuthParameters": {"REFRESH_TOKEN": successor}}
    refused(errors.UnsupportedOperationException, None, idp.initiate_auth, **by_flow)
    advance(60)
    refused(errors.RefreshTokenReuseException, None, idp.get_tokens_from_refresh_token, **by_call)
    tokens = enter()["AuthenticationResult"]
    idp.global_sign_out(AccessToken=tokens["AccessToken"])
    refused(errors.NotAuthorizedException, REVOKED, idp.global_sign_out, AccessToken=tokens["AccessToken"])


def deletion():
    token = enter()["AuthenticationResult"]["AccessToken"]
    idp.delete_user(AccessToken=token)
    refused(errors.NotAuthorizedException, None, idp.get_user, AccessToken=token)
    refused(errors.NotAuthorizedException, INCORRECT, enter)


uid = sign_up()
passwords(uid)
attributes()
set_up()
factors()
devices()
endings()
deletion()
