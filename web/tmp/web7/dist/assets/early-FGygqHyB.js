(function early(parts) {
	const { dataset } = document.documentElement;
	const member = localStorage.getItem("access_token") !== null;
	const screen = parts.screens[window.location.pathname.split("/")[1] ?? ""] ?? [];
	dataset[member ? "member" : "nobody"] = "";
	const scheme = localStorage.getItem("mantine-color-scheme-value") ?? "";
	if (/^(light|dark)$/.test(scheme)) dataset["mantineColorScheme"] = scheme;
	const files = member ? [...parts.signedIn, ...screen] : parts.signIn;
	const begin = () => {
		for (const file of files) {
			const link = document.createElement("link");
			link.rel = file.endsWith(".css") ? "preload" : "modulepreload";
			link.as = file.endsWith(".css") ? "style" : "script";
			link.crossOrigin = "";
			link.href = `/${file}`;
			document.head.append(link);
		}
	};
	document.querySelector("script[type=module]")?.addEventListener("load", begin);
	const look = () => {
		if (document.getElementById("early") !== null) dataset["failed"] = "";
	};
	if (document.readyState === "complete") look();
	else window.addEventListener("load", () => setTimeout(look));
	document.addEventListener("click", ({ target }) => {
		if (target instanceof Element && target.closest("#again") !== null) fetch("/config.json", { cache: "no-store" }).then(() => window.location.reload());
	});
})({"signIn":["assets/LoginScreen-BAg5H1gb.js","assets/Failed-BZ6pu_FB.js","assets/CloseButton-BjS4Orj8.js","assets/get-env-BIGED2dv.js","assets/TextInput-1T7wjYUM.js","assets/NewPassword-BN47PyyM.js","assets/fields-CcOsTNxs.js","assets/contact-BLcKKFi1.js","assets/words-CEANNovc.js","assets/pieces-IvSur4b7.js","assets/IconMail-Anh3AoNT.js","assets/IconCircleCheck-EVah0oN-.js","assets/SegmentedControl-C3LcaZEI.js","assets/use-merged-ref-CFAmE-8T.js","assets/use-callback-ref-BnRAmizX.js"],"signedIn":["assets/SignedIn-MVUFKGuo.js","assets/toast-Cfe_3pTr.js","assets/pieces-IvSur4b7.js","assets/travel-BC6H9niC.js","assets/wire-CAhgZH8m.js"],"screens":{"friends":["assets/FriendsScreen-Dy2Mr9at.js","assets/contact-BLcKKFi1.js","assets/IconCheck-BS7BVww2.js","assets/illustrations-CxGdcUgF.js","assets/Failed-BZ6pu_FB.js","assets/CloseButton-BjS4Orj8.js","assets/get-env-BIGED2dv.js","assets/Fields-r1LMo5C6.js","assets/Fields-CQ41Odpc.css","assets/get-auto-contrast-value-BTPwFOS2.js","assets/use-merged-ref-CFAmE-8T.js","assets/DirectionProvider-DxawdREm.js"],"favors":["assets/FavorsScreen-CU_9Lrjl.js","assets/FavorsScreen-XoNkAk3K.css","assets/IconCheck-BS7BVww2.js","assets/illustrations-CxGdcUgF.js","assets/SegmentedControl-C3LcaZEI.js","assets/use-merged-ref-CFAmE-8T.js","assets/use-callback-ref-BnRAmizX.js","assets/get-env-BIGED2dv.js","assets/fields-CcOsTNxs.js","assets/TextInput-1T7wjYUM.js","assets/Failed-BZ6pu_FB.js","assets/CloseButton-BjS4Orj8.js","assets/lists-CtXFK1hp.js","assets/Outcome-CJAKga19.js","assets/IconCircleCheck-EVah0oN-.js","assets/Sheet-nAEgadJb.js","assets/Sheet-C4yLpNPO.css","assets/DirectionProvider-DxawdREm.js","assets/Fields-r1LMo5C6.js","assets/Fields-CQ41Odpc.css","assets/get-auto-contrast-value-BTPwFOS2.js"],"inbox":["assets/NotificationsScreen-D1jIpZJr.js","assets/targets-D-4wjcqb.js","assets/illustrations-CxGdcUgF.js","assets/IconCheck-BS7BVww2.js"],"settings":["assets/SettingsScreens-BVU4o_rZ.js","assets/Row-bweZFI_X.js","assets/Row-eNCKS7yA.css","assets/SegmentedControl-C3LcaZEI.js","assets/use-merged-ref-CFAmE-8T.js","assets/use-callback-ref-BnRAmizX.js","assets/get-env-BIGED2dv.js"]}});
