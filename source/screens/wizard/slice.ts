import {customActions} from '../../firewall/rules/custom-checks.ts';
import type {Slice} from '../../store/slice.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {askAboutFilter} from '../stepped-form/existing-filter.ts';
import {createRuleForm, type RuleFormSlice} from '../stepped-form/rule-slice.ts';
import {buildRuleDraft, findDuplicateFilter} from './draft.ts';
import {getWizardLeaveMessage, listWizardEdits} from './ending.ts';
import {firewallRuleKind} from './kind.ts';
import {
	createWizard,
	getWizardExpression,
	type Wizard,
	type WizardEnding,
	type WizardPurpose,
	withLists,
} from './state.ts';

export type {WizardPurpose} from './state.ts';

const emptyLists = {rules: [], filters: []};

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
	/** Reads the custom rules, and continues with the same rule in their form: firewall rules are retired. */
	async function continueAsCustomRule(wizard: Wizard): Promise<void> {
		const {zone, editing, orphanFilterId} = wizard;
		get().customRules.open(zone);
		const hasRead = await get().work.run('loading the custom rules', 'read', signal =>
			get().customRules.load(signal),
		);
		if (!hasRead || get().wizard.data?.id !== wizard.id) return;
		const previousId = get().customRule.data?.id;
		const {action, description, paused} = buildRuleDraft(wizard) ?? {};
		get().customRule.begin({
			kind: 'new',
			copyOf: {
				action: customActions.find(one => one === action) ?? 'skip',
				expression: getWizardExpression(wizard) || getTypedExpression(editing),
				...(description && {description}),
				enabled: !paused,
			},
		});
		if (get().customRule.data?.id === previousId) return;
		const message = orphanFilterId === undefined ? undefined : getWizardLeaveMessage(wizard, false);
		set({data: undefined});
		if (get().navigation.stack.at(-1) === 'wizard') get().navigation.back();
		get().navigation.go('customRule');
		if (message !== undefined) get().messages.say(message);
	}

	/** Asks whether a new rule uses an existing filter for the same requests. */
	function askAboutSameFilter(wizard: Wizard, proceed: (part: Partial<Wizard>) => void): boolean {
		const duplicate = wizard.purpose.kind === 'new rule' ? findDuplicateFilter(wizard) : undefined;
		if (!duplicate) return false;
		const typedExpression = getTypedExpression(wizard.editing);
		askAboutFilter(
			get().dialog,
			{
				filter: duplicate,
				typedExpression,
				rules: wizard.rules,
				reuseLabel: 'Use that filter for the rule',
				creationLabel:
					duplicate.expression === typedExpression
						? undefined
						: 'Create a separate filter with this expression',
			},
			answer => proceed(answer === 'use' ? {filter: duplicate} : {}),
		);
		return true;
	}

	return {
		...createRuleForm<Wizard, WizardPurpose, WizardEnding>(
			firewallRuleKind,
			{
				getOpenedZone: () => get().firewall.data?.zone,
				begin(formId, purpose, zone) {
					const firewall = get().firewall.data;
					return createWizard(formId, purpose, zone, firewall?.zone.id === zone.id ? firewall : emptyLists);
				},
				refresh: wizard => withLists(wizard, get().firewall.data),
				async send(client, wizard, context) {
					const {sendWizard} = await import('./sending.ts');
					return sendWizard(client, wizard, context);
				},
				async lookAgain(client, _, ending, context) {
					return 'lookAgain' in ending ? ending.lookAgain(client, context) : ending;
				},
				askAboutExpression: askAboutSameFilter,
				// Resets a filter chosen along the way, so that the expression can be changed.
				getStepUndo: ({step, purpose}) =>
					step === 'action' && purpose.kind === 'new rule' && !purpose.filter ? {filter: undefined} : {},
				onChoice(product) {
					if (product === 'waf') get().firewall.readMigrationStatus();
				},
				showInLists(wizard, ending) {
					get().firewall.noteEdits(wizard.zone, listWizardEdits(wizard, ending));
				},
				handleChoice(wizard, ending, choiceId, send) {
					if (choiceId === 'as custom rule') return continueAsCustomRule(wizard);
					if (choiceId !== 'delete the filter' || ending.state !== 'filter only') return undefined;
					const {filter} = ending;
					const question = {
						title: 'Delete the filter?',
						lines: [`Filter ${filter.id}, created for this rule. No rule uses it.`],
						actionLabel: 'delete filter',
					};
					askToConfirm(get(), question, undefined, () => {
						void send('deleting the filter', 'delete', async (client, context) => {
							const {deleteWizardFilter} = await import('./sending.ts');
							return deleteWizardFilter(client, wizard, filter.id, context);
						});
					});
					return Promise.resolve();
				},
				// Moves the cursor to a filter left without its rule.
				onLeave({orphanFilterId, zone}, readLists) {
					if (orphanFilterId === undefined || get().firewall.data?.zone.id !== zone.id) return;
					get().firewall.focusRow(orphanFilterId, zone.id);
					if (!get().firewall.data?.filters.some(({id}) => id === orphanFilterId)) readLists();
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
