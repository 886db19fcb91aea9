import type {Slice} from '../../store/slice.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {createRuleForm, type RuleFormSlice} from '../stepped-form/rule-slice.ts';
import {describeSameFilter} from '../stepped-form/words.ts';
import {sameFilter} from './draft.ts';
import {leftSentence} from './ending.ts';
import {firewallRules} from './kind.ts';
import {
	beginningOf,
	type Ending,
	expressionHere,
	type Wizard,
	type WizardPurpose,
	withLists,
} from './state.ts';

export type {WizardPurpose} from './state.ts';

const noLists = {rules: [], filters: []};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly wizard: WizardSlice;
	}
}

type WizardSlice = RuleFormSlice<Wizard, WizardPurpose> & {
	/** Whether a zone has been migrated, once that is known. */
	noteMigration(zoneId: string, migrated: boolean): void;
};

/** The rule wizard: a form of firewall rules and filters. */
export const createWizardSlice: Slice<WizardSlice> = (set, get, ports) => {
	/** On with the expression where firewall rules are gone: as a custom rule. */
	function toEmergency(wizard: Wizard): void {
		if (get().firewall.data?.zone.id !== wizard.zone.id) get().firewall.open(wizard.zone);
		get().emergency.begin();
		const emergency = get().emergency.data;
		const isNew = emergency?.phase.name === 'asking' && expressionOf(emergency.editing) === '';
		if (!isNew || emergency.zone.id !== wizard.zone.id) {
			get().messages.warn('Another emergency has begun: leave this, ! shows it.');
			return;
		}
		const text = expressionHere(wizard) || expressionOf(wizard.editing);
		const said = wizard.left === undefined ? undefined : leftSentence(wizard);
		set({data: undefined});
		if (get().navigation.stack.at(-1) === 'wizard') get().navigation.back();
		get().navigation.go('emergency');
		get().emergency.type({name: 'paste', text, sequence: text});
		if (said !== undefined) get().messages.say(said);
	}

	/** Asks whether a new rule uses an existing filter for the same requests. */
	function askAboutFilter(wizard: Wizard, goOn: (part: Partial<Wizard>) => void): boolean {
		const same = wizard.purpose.kind === 'new rule' ? sameFilter(wizard) : undefined;
		if (!same) return false;
		const {title, lines, isExact} = describeSameFilter(same, expressionOf(wizard.editing), wizard.rules);
		const advice = isExact
			? 'A zone has each expression only once; rules can share a filter.'
			: 'Rules can share a filter.';
		get().dialog.open({
			kind: 'choice',
			title,
			lines: [...lines, advice],
			choices: [
				{value: 'use', label: 'Use that filter for the rule'},
				{value: 'change', label: 'Change the expression'},
				...(isExact ? [] : [{value: 'own', label: 'Make a filter of its own, as it is written here'}]),
			],
			choose(value) {
				if (value !== 'change') goOn(value === 'use' ? {filter: same} : {});
			},
		});
		return true;
	}

	return {
		...createRuleForm<Wizard, WizardPurpose, Ending>(
			firewallRules,
			{
				openedZone: () => get().firewall.data?.zone,
				begin(id, purpose, zone) {
					const firewall = get().firewall.data;
					return beginningOf(id, purpose, zone, firewall?.zone.id === zone.id ? firewall : noLists);
				},
				refresh: wizard => withLists(wizard, get().firewall.data),
				async send(client, wizard, sending) {
					const {sent} = await import('./sending.ts');
					return sent(client, wizard, sending);
				},
				async lookAgain(client, _, ending, sending) {
					return 'lookAgain' in ending ? ending.lookAgain(client, sending) : ending;
				},
				asks: askAboutFilter,
				// A filter that was chosen on the way is no longer chosen, so that the expression can be changed.
				undoneBy: ({step, purpose}) =>
					step === 'action' && purpose.kind === 'new rule' && !purpose.filter ? {filter: undefined} : {},
				onChosen(product) {
					if (product === 'waf') get().firewall.learnMigration();
				},
				choose(wizard, ending, does, send) {
					if (does === 'emergency') return Promise.resolve(toEmergency(wizard));
					if (does !== 'delete the filter' || ending.state !== 'filter only') return undefined;
					return send('deleting the filter', 'delete', async (client, sending) => {
						const {filterDeleted} = await import('./sending.ts');
						return filterDeleted(client, wizard, ending.filter.id, sending);
					});
				},
				// A filter that is left without its rule is named, and has the cursor.
				afterLeaving({left, zone}, readLists) {
					if (left === undefined || get().firewall.data?.zone.id !== zone.id) return;
					get().firewall.point({kind: 'filter', id: left}, zone.id);
					if (!get().firewall.data?.filters.some(({id}) => id === left)) readLists();
				},
			},
			set,
			get,
			ports,
		),
		noteMigration(zoneId, migrated) {
			const wizard = get().wizard.data;
			if (wizard?.zone.id === zoneId) set({data: {...wizard, migrated}});
		},
	};
};
