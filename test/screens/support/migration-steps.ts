import {type AnyScreen, enterAt, lookAndEnterAt} from './ways.ts';

/** From Home to what the service says of the zone. */
export async function toEligibility(screen: AnyScreen): Promise<void> {
	screen.press('M');
	await enterAt(screen, '▸ Read the zone');
	await screen.waitFor('▸ Continue');
}

/** Reads what is reviewed to its end, and says so. */
export async function review(screen: AnyScreen): Promise<void> {
	await screen.waitFor(/⏎ (read on|I have reviewed this)/);
	while (screen.text().includes('⏎ read on')) {
		const before = screen.text();
		screen.press('enter');
		await screen.waitFor(() => screen.text() !== before);
	}
	await lookAndEnterAt(screen, '⏎ I have reviewed this');
}

export type Path = 'Direct' | 'Validation first';

/** From the choice of the path to the question for the name of the zone. */
export async function choosePath(screen: AnyScreen, path: Path): Promise<void> {
	await screen.waitFor(/▸ (Direct|Validation first)/);
	if (!screen.text().includes(`▸ ${path}`)) screen.press('down');
	await enterAt(screen, `▸ ${path}`);
	await screen.waitFor('▸ Rehearse in the simulated service');
	screen.press('down');
	await enterAt(screen, '▸ Continue without a rehearsal');
	await screen.waitFor("Type the zone's name");
}

/** From Home to the question for the name of the zone. */
export async function toConfirmation(screen: AnyScreen, path: Path): Promise<void> {
	await toEligibility(screen);
	screen.press('enter');
	await review(screen);
	await choosePath(screen, path);
}

/** Types the name of the zone below the question for it, and sends. */
export async function confirm(screen: AnyScreen, {name}: {readonly name: string}): Promise<void> {
	await screen.waitFor("Type the zone's name");
	screen.type(name);
	await lookAndEnterAt(screen, () => screen.text().split("Type the zone's name")[1]?.includes(name) === true);
}

/** Until what is deployed was read, and is what was reviewed. */
export const verified = (screen: AnyScreen): Promise<void> =>
	screen.waitFor('Verified by reading it back: it matches your review.');
