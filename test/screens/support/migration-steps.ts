import {type AnyScreen, pressEnterAfterReading, pressEnterWhenShown} from './ways.ts';

/** Goes from Home to the eligibility of the zone. */
export async function goToEligibility(screen: AnyScreen): Promise<void> {
	screen.press('5');
	await pressEnterWhenShown(screen, '▸ Read the zone');
	await screen.waitFor('▸ Continue');
}

/** Reads the review to its end, and confirms it. */
export async function confirmMigrationReview(screen: AnyScreen): Promise<void> {
	await screen.waitFor(/⏎ (read on|I have reviewed this)/);
	while (screen.text().includes('⏎ read on')) {
		const before = screen.text();
		screen.press('enter');
		await screen.waitFor(() => screen.text() !== before);
	}
	await pressEnterAfterReading(screen, '⏎ I have reviewed this');
}

export type Path = 'Direct' | 'Validation first';

/** Goes from the choice of the path to the question for the name of the zone. */
export async function choosePath(screen: AnyScreen, path: Path): Promise<void> {
	await screen.waitFor(/▸ (Direct|Validation first)/);
	if (!screen.text().includes(`▸ ${path}`)) screen.press('down');
	await pressEnterWhenShown(screen, `▸ ${path}`);
	await screen.waitFor('▸ Rehearse in the simulated service');
	screen.press('down');
	await pressEnterWhenShown(screen, '▸ Continue without a rehearsal');
	await screen.waitFor("Type the zone's name");
}

/** Goes from Home to the question for the name of the zone. */
export async function goToConfirmation(screen: AnyScreen, path: Path): Promise<void> {
	await goToEligibility(screen);
	screen.press('enter');
	await confirmMigrationReview(screen);
	await choosePath(screen, path);
}

/** Types the name of the zone below the question for it, and sends. */
export async function confirm(screen: AnyScreen, {name}: {readonly name: string}): Promise<void> {
	await screen.waitFor("Type the zone's name");
	screen.type(name);
	await pressEnterAfterReading(
		screen,
		() => screen.text().split("Type the zone's name")[1]?.includes(name) === true,
	);
}

/** Waits until the deployed configuration was read, and matches the review. */
export const waitForVerification = (screen: AnyScreen): Promise<void> =>
	screen.waitFor('Verified by reading it back: it matches your review.');
