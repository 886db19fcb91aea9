import type {Slice} from '../../store/slice.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {askAboutFilter} from '../stepped-form/existing-filter.ts';
import {createRuleForm, type RuleFormSlice} from '../stepped-form/rule-slice.ts';
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
	/** Records whether a zone has migrated. */
	noteMigration(zoneId: string, migrated: boolean): void;
};

/** The rule wizard: a form of firewall rules and filters. */
export const createWizardSlice: Slice<WizardSlice> = (set, get, ports) => {
	/** Continues with the expression as a custom rule, because firewall rules are retired. */
	function toEmergency(wizard: Wizard): void {
		if (get().firewall.data?.zone.id !== wizard.zone.id) get().firewall.open(wizard.zone);
		const before = get().emergency.data?.id;
		get().emergency.begin({expression: expressionHere(wizard) || expressionOf(wizard.editing)});
		if (get().emergency.data?.id === before) return;
		const said = wizard.left === undefined ? undefined : leftSentence(wizard);
		set({data: undefined});
		if (get().navigation.stack.at(-1) === 'wizard') get().navigation.back();
		get().navigation.go('emergency');
		if (said !== undefined) get().messages.say(said);
	}

	/** Asks whether a new rule uses an existing filter for the same requests. */
	function askAboutSameFilter(wizard: Wizard, goOn: (part: Partial<Wizard>) => void): boolean {
		const same = wizard.purpose.kind === 'new rule' ? sameFilter(wizard) : undefined;
		if (!same) return false;
		const typed = expressionOf(wizard.editing);
		askAboutFilter(
			get().dialog,
			{
				filter: same,
				typed,
				rules: wizard.rules,
				use: 'Use that filter for the rule',
				own: same.expression === typed ? undefined : 'Make a filter of its own, as it is written here',
			},
			does => goOn(does === 'use' ? {filter: same} : {}),
		);
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
				asks: askAboutSameFilter,
				// Resets a filter chosen along the way, so that the expression can be changed.
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
				// Moves the cursor to a filter left without its rule.
				afterLeaving({left, zone}, readLists) {
					if (left === undefined || get().firewall.data?.zone.id !== zone.id) return;
					get().firewall.point(left, zone.id);
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
