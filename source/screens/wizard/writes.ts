import {draftOf} from './draft.ts';
import type {Doing, Wizard, WizardPurpose} from './state.ts';

/** Words for what is sent, for the status line. */
export const works = {
	'new rule': 'creating a firewall rule',
	'new filter': 'creating a filter',
	'change rule': 'changing a firewall rule',
	'change filter': 'changing a filter',
} as const satisfies Record<WizardPurpose['kind'], string>;

/** A write that the wizard sends now, as the audit log calls it before it has an id. */
export function writeOf(wizard: Wizard, doing: Exclude<Doing, 'looking'>): string {
	const {purpose, left} = wizard;
	switch (doing) {
		case 'filter':
			return 'create filter';
		case 'rule':
			return `create rule (${draftOf(wizard)?.action})`;
		case 'change':
			return purpose.kind === 'change filter'
				? `update filter ${purpose.filter.id}`
				: `update rule ${'rule' in purpose ? purpose.rule.id : ''}`;
		case 'delete':
			return `delete filter ${left ?? ''}`;
		default:
			return doing satisfies never;
	}
}
