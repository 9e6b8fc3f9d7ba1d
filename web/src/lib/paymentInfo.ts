// The payment usernames in another member's profile.
import { useQuery } from "@connectrpc/connect-query";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import type { Handles } from "./pay";

export const usePaymentInfo = (uid: string) =>
  useQuery(
    ProfileService.method.getProfile,
    { uid },
    {
      select: ({ profile }): Handles => {
        const { venmoUsername = "", paypalUsername = "" } = profile?.data?.paymentInfo ?? {};
        // Some members type the "@".
        return { venmo: venmoUsername.replace(/^@/, ""), paypal: paypalUsername.replace(/^@/, "") };
      },
    },
  );
