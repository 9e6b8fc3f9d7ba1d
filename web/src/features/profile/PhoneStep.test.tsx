// The phone-number step: shown while it is pending, given by code or skipped, and not asked again.
import { fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import {
  GetProfileResponseSchema,
  type Profile,
  ProfileService,
  type UpdateProfileRequest,
} from "../../gen/goodturn/profile/v1/profile_service_pb";
import { renderWith } from "../../testing/render";
import { storeSession } from "../../testing/tokens";
import { PhoneStep } from "./PhoneStep";
import { usePhoneStep } from "./step";

const { questions, config } = vi.hoisted(() => ({
  questions: { answer: true, texts: [] as string[] },
  config: { sms: true },
}));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ text }: { text: string }): Promise<boolean> {
    questions.texts.push(text);
    return Promise.resolve(questions.answer);
  },
}));
vi.mock("../../lib/config", () => ({ useConfig: () => config }));

beforeEach(() => {
  storeSession(3600);
  questions.answer = true;
  questions.texts = [];
  config.sms = true;
});

function Gate() {
  const { state, noted, end } = usePhoneStep("ana", true);
  return state === "shown" ? <PhoneStep me="ana" onSaved={noted} onDone={end} /> : <p>{state}</p>;
}

function show({ isPending = true, isLost = false } = {}) {
  const state = { isPending, isLost, asked: 0, skipped: 0, updates: [] as UpdateProfileRequest[] };
  renderWith(
    ({ service }) =>
      service(ProfileService, {
        getProfile() {
          state.asked += 1;
          if (state.isLost) throw new ConnectError("gone", Code.Unavailable);
          return { profile: { phoneStepPending: state.isPending } };
        },
        skipPhoneStep() {
          if (state.isLost) throw new ConnectError("gone", Code.Unavailable);
          state.skipped += 1;
          return {};
        },
        updateProfile(request) {
          state.updates.push(request);
          return { profile: { details: request.details ?? {} } };
        },
        startPhoneVerification: () => ({ destination: "+*******4477" }),
        verifyPhone: () => ({}),
      }),
    <Gate />,
  );
  return state;
}

/** The profile that is kept on the device, as another start of the app has it. */
function onDevice(): Profile | undefined {
  const entry = Object.keys(localStorage).find((key) => key.startsWith("goodturn.cache.ana"));
  if (entry === undefined) return undefined;
  const { data } = JSON.parse(localStorage.getItem(entry) ?? "") as { data: string };
  return fromBinary(
    GetProfileResponseSchema,
    Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)),
  ).profile;
}

const isRemembered = (): boolean => localStorage.getItem("goodturn.phone_step.ana") !== null;

it("who_is_past_it_never_sees_it_and_is_not_asked_again_on_this_device", async () => {
  const state = show({ isPending: false });
  expect(screen.getByText("unknown")).toBeInTheDocument();
  expect(await screen.findByText("over")).toBeInTheDocument();
  expect(isRemembered()).toBe(true);
  show({ isPending: true });
  expect(await screen.findAllByText("over")).toHaveLength(2);
  expect(state.asked).toBe(1);
});

it("who_cannot_be_asked_goes_on_and_is_asked_another_time", async () => {
  show({ isLost: true });
  expect(await screen.findByText("later")).toBeInTheDocument();
  expect(isRemembered()).toBe(false);
});

it("skipping_asks_and_says_that_the_number_can_be_added_later", async () => {
  const state = show();
  questions.answer = false;
  await userEvent.click(await screen.findByRole("button", { name: "Skip for now" }));
  expect(questions.texts).toEqual(["You can add your phone number later in Settings."]);
  expect(state.skipped).toBe(0);
  questions.answer = true;
  state.isLost = true;
  await userEvent.click(screen.getByRole("button", { name: "Skip for now" }));
  expect(await screen.findByText(/We couldn't skip this step\./)).toBeInTheDocument();
  expect(isRemembered()).toBe(false);
  state.isLost = false;
  await userEvent.click(screen.getByRole("button", { name: "Skip for now" }));
  expect(await screen.findByText("over")).toBeInTheDocument();
  expect([state.skipped, isRemembered()]).toEqual([1, true]);
  await waitFor(() => expect(onDevice()?.phoneStepPending).toBe(false));
});

it("a_number_is_checked_saved_and_verified_by_a_code", async () => {
  const state = show();
  const number = await screen.findByLabelText("Phone number");
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
  expect(screen.getByLabelText<HTMLSelectElement>("Country").value).toBe("US");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(screen.getByText("Invalid Phone Number: Please enter a valid phone number")).toBeInTheDocument();
  expect(number).toHaveFocus();
  await userEvent.type(number, "5550104477");
  expect(number).toHaveValue("(555) 010-4477");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("+*******4477")).toBeInTheDocument();
  expect(state.updates.map(({ details }) => [details?.phoneNumber, details?.countryCode])).toEqual([
    ["+15550104477", "US"],
  ]);
  await waitFor(() => expect(onDevice()?.details?.phoneNumber).toBe("+15550104477"));
  // The number is given, whatever becomes of the code.
  expect(isRemembered()).toBe(true);
  for (const digit of screen.getAllByLabelText(/^Digit/)) fireEvent.change(digit, { target: { value: "1" } });
  await userEvent.click(screen.getByRole("button", { name: "Verify" }));
  expect(await screen.findByText("over")).toBeInTheDocument();
  expect(screen.getByText("Your phone number is verified.")).toBeInTheDocument();
});

it("where_no_sms_is_sent_the_number_is_saved_and_nothing_else", async () => {
  config.sms = false;
  const state = show();
  fireEvent.change(await screen.findByLabelText("Country"), { target: { value: "DE" } });
  await userEvent.type(screen.getByLabelText("Phone number"), "015123456789");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("over")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByText("Your phone number is saved.")).toBeInTheDocument());
  expect(state.updates[0]?.details).toMatchObject({ phoneNumber: "+4915123456789", countryCode: "DE" });
});

it("a_number_in_other_digits_is_read_and_letters_are_an_error_at_the_field", async () => {
  config.sms = false;
  const state = show();
  const number = await screen.findByLabelText("Phone number");
  fireEvent.change(screen.getByLabelText("Country"), { target: { value: "AE" } });
  await userEvent.type(number, "call me");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(screen.getByText("Invalid Phone Number: Please enter a valid phone number")).toBeInTheDocument();
  expect(number).toHaveValue("call me");
  expect(state.updates).toEqual([]);
  await userEvent.clear(number);
  await userEvent.type(number, "٠٥٠١٢٣٤٥٦٧");
  expect(number).toHaveValue("050 123 4567");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText("over")).toBeInTheDocument();
  expect(state.updates[0]?.details).toMatchObject({ phoneNumber: "+971501234567", countryCode: "AE" });
});
