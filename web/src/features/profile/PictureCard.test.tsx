// The picture in Edit Profile: chosen, cropped, kept, sent, stopped and removed; what is refused; what becomes of the rest of the form.
import { clone, create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { PictureFormat } from "../../gen/later/goodturn/common/v1/picture_pb";
import { ProfileSchema, ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { ProfileService as PictureService } from "../../gen/later/goodturn/profile/v1/profile_service_pb";
import { type PictureFault, PictureRefused } from "../../lib/pictureFile";
import { renderWith } from "../../testing/render";
import { heldOf } from "./kept";
import { pictureOf } from "./pending";
import { ProfileScreen } from "./ProfileScreen";
import { refusal } from "../../testing/refusals";

const CROPPED = `data:image/jpeg;base64,${btoa("\xff\xd8 a picture")}`;

const { questions, wire, files } = vi.hoisted(() => ({
  questions: { asked: [] as string[], answer: true },
  /** `answers`: at once, with this status and its text. */
  wire: { answers: true, status: 200, statusText: "OK", isLost: false, puts: [] as object[], open: [] as object[] },
  files: { fault: undefined as PictureFault | undefined },
}));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title }: { title: string }): Promise<boolean> {
    questions.asked.push(title);
    return Promise.resolve(questions.answer);
  },
}));
vi.mock("../../lib/config", () => ({ useConfig: () => undefined }));
// What draws is tested in a browser: there is no canvas here.
vi.mock("../../lib/preparePicture", () => ({
  preparePicture: (file: File) =>
    files.fault === undefined ? Promise.resolve(file) : Promise.reject(new PictureRefused(files.fault)),
}));
vi.mock("./CropPicture", () => ({
  CropPicture: ({
    address,
    onUse,
    onBroken,
  }: {
    address: string;
    onUse: (p: string) => void;
    onBroken: () => void;
  }) => (
    <button type="button" onClick={() => (address === "blob:broken.png" ? onBroken() : onUse(CROPPED))}>
      Use this picture
    </button>
  ),
}));

class FakeRequest extends EventTarget {
  upload = new EventTarget();
  status = 0;
  statusText = "";
  private said: Record<string, unknown> = {};
  open(method: string, url: string): void {
    this.said = { method, url };
  }
  setRequestHeader(name: string, value: string): void {
    this.said[name] = value;
  }
  send(file: Blob): void {
    wire.puts.push({ ...this.said, size: file.size });
    wire.open.push(this);
    if (wire.answers) queueMicrotask(() => this.answer());
  }
  answer(): void {
    Object.assign(this, { status: wire.status, statusText: wire.statusText });
    this.end(wire.isLost ? "error" : "load");
  }
  abort(): void {
    this.end("abort");
  }
  private end(kind: string): void {
    this.dispatchEvent(new Event(kind));
    this.dispatchEvent(new Event("loadend"));
  }
}

class LoadedImage extends EventTarget {
  set src(_: string) {
    queueMicrotask(() => this.dispatchEvent(new Event("load")));
  }
}

beforeEach(() => {
  Object.assign(questions, { asked: [], answer: true });
  files.fault = undefined;
  Object.assign(wire, { answers: true, status: 200, statusText: "OK", isLost: false, puts: [], open: [] });
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  vi.stubGlobal("Image", LoadedImage);
  Object.assign(URL, { createObjectURL: ({ name }: File) => `blob:${name}`, revokeObjectURL: () => undefined });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("nobody is there")));
  window.history.replaceState(null, "", "/profile");
});

const member = {
  uid: "ana",
  email: "ana@goodturn.example",
  displayName: "Ana Ruiz",
  givenName: "Ana",
  familyName: "Ruiz",
  profilePictureUrl: "",
};

async function opened(profilePictureUrl = "", lastName = "Ruiz") {
  const state = {
    profile: create(ProfileSchema, { details: { firstName: "Ana", lastName, profilePictureUrl } }),
    loads: 0,
    uploads: [] as object[],
    set: [] as string[],
    removed: 0,
    updates: 0,
    refuses: undefined as ConnectError | undefined,
    url: "https://storage.example/put?signed",
  };
  function become(url: string): void {
    state.profile = clone(ProfileSchema, state.profile);
    if (state.profile.details !== undefined) state.profile.details.profilePictureUrl = url;
  }
  const show = (): unknown =>
    renderWith(
      ({ service }) => {
        service(ProfileService, {
          getProfile() {
            state.loads += 1;
            return { profile: state.profile };
          },
          updateProfile({ details }) {
            state.updates += 1;
            state.profile = clone(ProfileSchema, state.profile);
            if (state.profile.details !== undefined && details?.lastName !== undefined)
              state.profile.details.lastName = details.lastName;
            return { profile: state.profile };
          },
        });
        service(PictureService, {
          createPictureUpload({ contentType, fileSize }) {
            state.uploads.push({ contentType, fileSize });
            if (state.refuses?.code === Code.ResourceExhausted) throw state.refuses;
            return { uploadUrl: state.url, key: "key-1" };
          },
          setPicture({ key }) {
            if (state.refuses !== undefined) throw state.refuses;
            state.set.push(key);
            become("/pictures/new.jpg?until=1");
            return { profilePictureUrl: "/pictures/new.jpg?until=1" };
          },
          deletePicture() {
            if (state.refuses !== undefined) throw state.refuses;
            state.removed += 1;
            become("");
            return {};
          },
        });
      },
      <ProfileScreen member={member} />,
    );
  show();
  await screen.findByLabelText("First name");
  return { state, show };
}

const card = (): HTMLElement => screen.getByRole("region", { name: "Profile picture" });
const inCard = (name: string): HTMLElement => within(card()).getByRole("button", { name });
const save = (): HTMLElement => screen.getByRole("button", { name: "Save Changes" });
const shown = (): string | null => card().querySelector(".face img")?.getAttribute("src") ?? null;
const type = (name: string, value: string): unknown =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });

function choose(file: File): void {
  const input = card().querySelector<HTMLInputElement>("input[type=file]:not([capture])");
  if (input !== null) fireEvent.change(input, { target: { files: [file] } });
}

const photo = (name = "me.jpg", mime = "image/jpeg", size = 10): File => {
  const file = new File(["x"], name, { type: mime });
  Object.defineProperty(file, "size", { value: size });
  return file;
};

async function chosen(): Promise<void> {
  choose(photo());
  await userEvent.click(await screen.findByRole("button", { name: "Use this picture" }));
  await waitFor(() => expect(shown()).toBe(CROPPED));
}

it("none_pending_and_saved_have_their_looks_and_ways", async () => {
  await opened();
  expect(shown()).toBeNull();
  expect(within(card()).queryByRole("button", { name: "Remove" })).toBeNull();
  expect(save()).toHaveAttribute("aria-disabled", "true");
  await chosen();
  expect(within(card()).getByText("Not saved yet")).toBeInTheDocument();
  expect(save()).not.toHaveAttribute("aria-disabled");
  await userEvent.click(inCard("Undo"));
  expect(shown()).toBeNull();
  expect(save()).toHaveAttribute("aria-disabled", "true");
  expect(heldOf("ana")).toBeNull();
});

it("a_picture_is_sent_to_where_the_server_says_and_taken_by_its_key", async () => {
  const { state } = await opened();
  await chosen();
  await userEvent.click(save());
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(wire.puts).toEqual([{ method: "PUT", url: state.url, "content-type": "image/jpeg", size: 12 }]);
  expect(state).toMatchObject({ set: ["key-1"], updates: 0 });
  expect(state.uploads).toEqual([{ contentType: PictureFormat.JPEG, fileSize: 12 }]);
  await waitFor(() => expect(shown()).toBe("/pictures/new.jpg?until=1"));
  expect(pictureOf("ana")).toBeNull();
  expect(inCard("Change picture")).toBeInTheDocument();
});

it("save_changes_saves_both", async () => {
  const { state } = await opened();
  await chosen();
  type("Last name", "Diaz");
  await userEvent.click(save());
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state).toMatchObject({ set: ["key-1"], updates: 1 });
});

it("a_saved_one_is_removed_with_the_save_and_not_before", async () => {
  const { state } = await opened("/pictures/old.jpg?until=1");
  expect(shown()).toBe("/pictures/old.jpg?until=1");
  await userEvent.click(inCard("Remove"));
  expect(shown()).toBeNull();
  expect(within(card()).getByText("Removed when you save")).toBeInTheDocument();
  expect(pictureOf("ana")).toBe("");
  expect(state.removed).toBe(0);
  await userEvent.click(inCard("Undo"));
  expect(shown()).toBe("/pictures/old.jpg?until=1");
  await userEvent.click(inCard("Remove"));
  await userEvent.click(save());
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state.removed).toBe(1);
  expect(inCard("Choose a picture")).toBeInTheDocument();
});

it.each([
  [undefined, photo("a.gif", "image/gif"), "Invalid File Format", /^We can't use a\.gif\./],
  [undefined, photo("a.heic", "image/heic"), "Invalid File Format", /^We can't use a\.heic\./],
  [undefined, photo("a.jpg", "image/jpeg", 0), "Invalid File Format", /^a\.jpg is an empty file\./],
  ["kind", photo("a.jpg"), "Invalid File Format", /^We can't use a\.jpg\./],
  ["unreadable", photo("a.jpg"), "Invalid File Format", /^We couldn't read a\.jpg\./],
  ["size", photo("a.jpg"), "File Too Large", /^a\.jpg is larger than 5 MB even after/],
] as const)("what_is_no_picture_or_too_large_is_refused_as_documented %#", async (fault, file, title, text) => {
  await opened();
  files.fault = fault;
  choose(file);
  const refused = within(await screen.findByRole("alert"));
  expect(refused.getByText(title)).toBeInTheDocument();
  expect(refused.getByText(text)).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(save()).toHaveAttribute("aria-disabled", "true");
});

it("a_picture_of_a_camera_is_taken_however_large_it_is", async () => {
  await opened();
  choose(photo("IMG_1.jpg", "image/jpeg", 9_600_000));
  await userEvent.click(await screen.findByRole("button", { name: "Use this picture" }));
  await waitFor(() => expect(shown()).toBe(CROPPED));
  expect(screen.queryByRole("alert")).toBeNull();
});

it("a_good_picture_ends_what_was_said_of_a_bad_one", async () => {
  await opened();
  choose(photo("a.gif", "image/gif"));
  expect(await screen.findByRole("alert")).toBeInTheDocument();
  await chosen();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("what_says_that_it_is_a_picture_and_cannot_be_drawn_is_refused_too", async () => {
  await opened();
  choose(photo("broken.png", "image/png"));
  await userEvent.click(await screen.findByRole("button", { name: "Use this picture" }));
  expect(await screen.findByText("Invalid File Format")).toBeInTheDocument();
  expect(pictureOf("ana")).toBeNull();
});

it("what_did_not_arrive_is_kept_and_sent_again_while_the_rest_is_saved", async () => {
  const { state } = await opened();
  await chosen();
  type("Last name", "Diaz");
  wire.isLost = true;
  await userEvent.click(save());
  const failed = await screen.findByRole("alert");
  expect(within(failed).getByText("Upload Error")).toBeInTheDocument();
  expect(within(failed).getByText(/Your other changes are saved\./)).toBeInTheDocument();
  expect(state).toMatchObject({ updates: 1, set: [] });
  expect(pictureOf("ana")).toBe(CROPPED);
  expect(shown()).toBe(CROPPED);
  wire.isLost = false;
  await userEvent.click(within(failed).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state).toMatchObject({ updates: 1, set: ["key-1"] });
});

it("a_refusal_says_why_and_another_picture_ends_it", async () => {
  const { state } = await opened();
  await chosen();
  wire.status = 403;
  wire.statusText = "Forbidden";
  await userEvent.click(save());
  expect(await screen.findByText("Upload failed: Forbidden")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  wire.status = 200;
  for (const [refuses, text] of [
    [refusal("INVALID_ARGUMENT", Code.InvalidArgument), "Invalid file format for upload"],
    [refusal("RATE_LIMITED", Code.ResourceExhausted), /too many times/],
  ] as const) {
    state.refuses = refuses;
    await userEvent.click(save());
    expect(await screen.findByText(text)).toBeInTheDocument();
  }
  state.refuses = undefined;
  state.url = "";
  await userEvent.click(save());
  expect(await screen.findByText("Invalid key parameter")).toBeInTheDocument();
  await userEvent.click(inCard("Undo"));
  await waitFor(() => expect(screen.queryByText("Upload Error")).toBeNull());
});

it("what_could_not_be_removed_is_told_as_documented", async () => {
  const { state } = await opened("/pictures/old.jpg?until=1");
  await userEvent.click(inCard("Remove"));
  state.refuses = new ConnectError("gone", Code.Unavailable);
  await userEvent.click(save());
  const failed = await screen.findByRole("alert");
  expect(within(failed).getByText("Delete Error")).toBeInTheDocument();
  state.refuses = undefined;
  await userEvent.click(within(failed).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state.removed).toBe(1);
});

it("it_shows_how_far_it_is_and_can_be_stopped", async () => {
  const { state } = await opened();
  await chosen();
  wire.answers = false;
  await userEvent.click(save());
  const bar = await screen.findByRole("progressbar", { name: "Uploading your picture..." });
  await waitFor(() => expect(wire.open).toHaveLength(1));
  const [request] = wire.open as FakeRequest[];
  act(() => void request?.upload.dispatchEvent(new ProgressEvent("progress", { loaded: 6, total: 12 })));
  expect(bar).toHaveAttribute("value", "0.5");
  expect(inCard("Undo")).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(await screen.findByText(/wasn't uploaded\. We'll keep it/)).toBeInTheDocument();
  expect(state.set).toEqual([]);
  expect(shown()).toBe(CROPPED);
  expect(save()).not.toHaveAttribute("aria-disabled");
});

it("one_that_is_pending_survives_a_new_page_and_who_comes_back_to_it", async () => {
  const { state, show } = await opened("/pictures/old.jpg?until=1");
  await chosen();
  const { loads } = state;
  act(() => void window.dispatchEvent(new Event("focus")));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(state.loads).toBe(loads);
  expect(shown()).toBe(CROPPED);
  cleanup();
  show();
  await screen.findByLabelText("First name");
  expect(shown()).toBe(CROPPED);
  await userEvent.click(inCard("Undo"));
  act(() => void window.dispatchEvent(new Event("focus")));
  await waitFor(() => expect(state.loads).toBeGreaterThan(loads + 1));
});

it("closing_asks_before_it_is_lost", async () => {
  await opened();
  await chosen();
  questions.answer = false;
  await userEvent.click(screen.getAllByRole("button", { name: "Close" })[0] ?? document.body);
  expect(questions.asked).toEqual(["Discard Changes"]);
  expect(pictureOf("ana")).toBe(CROPPED);
});

it("who_has_a_name_of_one_word_can_change_the_picture_all_the_same", async () => {
  const { state } = await opened("", "");
  await chosen();
  await userEvent.click(save());
  expect(await screen.findByText("Profile updated successfully!")).toBeInTheDocument();
  expect(state.set).toEqual(["key-1"]);
});
