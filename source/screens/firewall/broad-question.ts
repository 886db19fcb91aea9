import {type Acting, becomesBroad, broadSentence} from '../../firewall/rules/broad-rule.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from './slice.ts';

/** A rule as a write leaves it, and as it was before. */
export type ActingChange = {readonly after: Acting; readonly before?: Acting | undefined};

/**
 * Continues at once, or after the zone's name was typed where a rule comes to act on all or nearly all of its traffic.
 * `lines` is what else has to be known then.
 */
export function afterZoneName(
	state: LedgeState,
	zone: Pick<OpenedZone, 'name'>,
	changes: readonly ActingChange[],
	{does, lines = []}: {readonly does: string; readonly lines?: readonly string[]},
	go: () => void,
): void {
	const broad = changes.find(({after, before}) => becomesBroad(after, before));
	if (!broad) {
		go();
		return;
	}
	state.openField({
		title: `All traffic of ${zone.name}?`,
		lines: [broadSentence(broad.after, zone), ...lines],
		typed: zone.name,
		value: '',
		does,
		submit: go,
	});
}
