import type {Proposal} from '../../managed/proposal.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/slice.ts';

/** Asks for the name of a zone that a proposal leaves less protected. */
export function askForZoneName(
	state: LedgeState,
	{name}: Pick<OpenedZone, 'name'>,
	{dangers}: Pick<Proposal, 'dangers'>,
	does: string,
	go: (name: string) => void,
): void {
	state.openField({
		title: `Less protection for ${name}: type its name`,
		lines: dangers,
		typed: name,
		value: '',
		does,
		submit: go,
	});
}
