import {readOwnAddress} from '../../firewall/rules/emergency-check.ts';
import {findExistingRuleOutcome} from '../../firewall/rules/emergency-custom-rule.ts';
import {describeFirstPriority} from '../../firewall/rules/order.ts';
import {createTextKey} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {areFirewallRulesRetired} from '../firewall/list.ts';
import {createLine} from '../stepped-form/about-fields.ts';
import {askAboutFilter} from '../stepped-form/existing-filter.ts';
import {checkTypedEnd, formatEndText, withTypedEnd} from '../stepped-form/rule-end.ts';
import {isTouched, toReview} from '../stepped-form/rule-form.ts';
import {createRuleForm, type RuleFormSlice} from '../stepped-form/rule-slice.ts';
import {describeEmergencyEnding} from './ending.ts';
import {emergencyKind} from './kind.ts';
import {
	buildEmergencyDraft,
	buildEmergencyPlan,
	createEmergencyState,
	type EmergencyEnding,
	type EmergencyPurpose,
	type EmergencyState,
	findExistingFilter,
	getEmergencyRules,
	getUndoableCreation,
} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly emergency: EmergencySlice;
	}
}

type EmergencySlice = RuleFormSlice<EmergencyState, EmergencyPurpose> & {
	/**
	 * Starts the emergency. Without an expression in `purpose`, an open form that was edited is kept.
	 */
	begin(purpose?: EmergencyPurpose): void;
	/** Asks when the block ends, and changes the expression in the review. */
	askEnd(): void;
	/** Switches between a priority before all other rules and none. */
	togglePriority(): void;
	/** Reads the custom rules and shows the block as one custom rule. */
	showCustomRule(): Promise<void>;
	/** Shows the block as a firewall rule again. */
	showFirewallRule(): void;
};

/** The emergency: a form that creates one rule immediately. */
export const createEmergencySlice: Slice<EmergencySlice> = (set, get, ports) => {
	const {session} = ports;
	const getEmergency = () => get().emergency.data;
	const getLists = (zoneId: string) => {
		const lists = get().firewall.data;
		return lists?.zone.id === zoneId ? lists : undefined;
	};

	const form = createRuleForm<EmergencyState, EmergencyPurpose, EmergencyEnding>(
		emergencyKind,
		{
			getOpenedZone: () => get().firewall.data?.zone,
			begin: (id, purpose, zone) =>
				createEmergencyState(id, purpose, zone, getLists(zone.id), readOwnAddress(session.env)),
			refresh: emergency => ({...emergency, lists: getLists(emergency.zone.id) ?? emergency.lists}),
			async send(client, emergency, context) {
				const {sendEmergency} = await import('./sending.ts');
				return sendEmergency(client, emergency, context, get().messages);
			},
			async lookAgain(client, _, ending, context) {
				return 'lookAgain' in ending ? ending.lookAgain(client, context) : ending;
			},
			askAboutExpression: askAboutSameFilter,
			showInLists: noteForUndo,
			handleChoice(emergency, ending, choiceId, send) {
				if (choiceId === 'use the filter') {
					if (ending.state === 'filter left') continueInWizard(emergency, ending.filter.id);
					if (ending.state === 'duplicate') continueInWizard(emergency, ending.filterId);
					return Promise.resolve();
				}
				const creation = choiceId === 'undo' ? getUndoableCreation(ending) : undefined;
				return (
					creation &&
					send('undoing the emergency', 'undo', async (client, context) => {
						const {undoEmergency} = await import('../../firewall/rules/emergency-undo.ts');
						return undoEmergency(client, emergency.zone, creation, context);
					})
				);
			},
		},
		set,
		get,
		ports,
	);

	/** Notes what was created for the undo of its list, and forgets what the emergency itself undid. */
	function noteForUndo(emergency: EmergencyState, ending: EmergencyEnding): void {
		const {zone} = emergency;
		const {noteEdits, forgetCreation} = get().firewall;
		if (ending.state === 'undone') {
			const {form, rule} = ending.createdRule;
			if (form === 'firewall rule') forgetCreation(rule.id);
			else get().customRules.forgetCreation(zone.id, rule.id);
		}
		if (ending.state !== 'created' || ending.alreadyExisted) return;
		if (ending.form === 'firewall rule') {
			const {rule} = ending;
			noteEdits(zone, [
				...('expression' in rule.filter
					? [{kind: 'filter', before: undefined, after: rule.filter} as const]
					: []),
				{kind: 'rule', before: undefined, after: rule},
			]);
			return;
		}
		const {rule, ruleset} = ending;
		get().customRules.noteLastChange(zone, {
			effect: describeEmergencyEnding(ending),
			createdRuleId: rule.id,
			rulesBefore: ruleset.rules.filter(({id}) => id !== rule.id),
			createdVersion: ruleset.version,
		});
		get().customRules.show(zone.id, ruleset);
	}

	/** Asks whether to use an existing filter for the same requests, in the wizard. */
	function askAboutSameFilter(
		emergency: EmergencyState,
		proceed: (changes: Partial<EmergencyState>) => void,
	): boolean {
		const duplicate = findExistingFilter(emergency);
		if (!duplicate) return false;
		askAboutFilter(
			get().dialog,
			{
				filter: duplicate,
				typedExpression: getTypedExpression(emergency.editing),
				rules: getEmergencyRules(emergency) ?? [],
				reuseLabel: `Create the rule on that filter, with ${emergency.action} (rule wizard)`,
				// The lists may be outdated, so a deleted filter must not be an obstacle.
				creationLabel: 'Create a separate filter with this expression',
			},
			answer => (answer === 'use' ? continueInWizard(emergency, duplicate.id) : proceed({})),
		);
		return true;
	}

	/** Continues in the wizard with an existing filter, up to its review; keeps action and priority. */
	function continueInWizard(emergency: EmergencyState, filterId: string) {
		const {zone, editing} = emergency;
		if (!getLists(zone.id)) {
			get().firewall.open(zone);
			void get().work.run('loading the rules', 'background', signal => get().firewall.load(signal));
		}
		const knownFilter = getLists(zone.id)?.filters.find(({id}) => id === filterId);
		const filter = knownFilter ?? {id: filterId, expression: getTypedExpression(editing), paused: false};
		get().wizard.begin({kind: 'new rule', filter});
		const wizard = get().wizard.data;
		if (wizard?.phase.name !== 'asking' || wizard.filter?.id !== filterId) return;
		set({data: undefined});
		if (get().navigation.stack.at(-1) === 'emergency') get().navigation.back();
		get().navigation.go('wizard');
		const {action, priority} = buildEmergencyDraft(emergency);
		get().wizard.goToNextStep();
		get().wizard.chooseAction(action);
		if (priority != null) get().wizard.type(createTextKey(String(priority)));
		get().wizard.goToNextStep();
	}

	const isInReview = (emergency = getEmergency()): emergency is EmergencyState =>
		emergency?.step === 'review' && emergency.phase.name === 'asking';

	/** Reads the custom rules, then shows the request, or that the block exists already. */
	async function showCustomRule(): Promise<void> {
		const previousForm = getEmergency();
		if (!isInReview(previousForm)) return;
		const unread = {way: 'custom rule', customRules: undefined, isReadingCustomRules: true} as const;
		form.change(toReview(emergencyKind, {...previousForm, ...unread}));
		let customRules: EmergencyState['customRules'];
		await get().work.run('loading the custom rules', 'read', async signal => {
			const {loadCustomRules} = await import('./sending.ts');
			customRules = await loadCustomRules(await session.client(), previousForm.zone, signal);
		});
		const currentForm = getEmergency();
		if (currentForm?.id !== previousForm.id || !isInReview(currentForm) || currentForm.way !== 'custom rule')
			return;
		const emergency = toReview(emergencyKind, {...currentForm, customRules, isReadingCustomRules: false});
		const plan = buildEmergencyPlan(emergency);
		const ending = plan && findExistingRuleOutcome(plan);
		form.change(ending ? {...emergency, phase: {name: 'ended', ending, cursor: 0}} : emergency);
	}

	/** Shows the review as a custom rule if firewall rules are retired. */
	function showCustomRuleIfRetired() {
		const emergency = getEmergency();
		if (!isInReview(emergency)) return;
		const isRetired = emergency.isRetired || areFirewallRulesRetired(emergency.lists);
		if (isRetired) form.change({isRetired});
		if (isRetired || emergency.way === 'custom rule') void showCustomRule();
	}

	return {
		...form,
		begin(purpose) {
			const openForm = getEmergency();
			const zone = get().firewall.data?.zone;
			const isEditedFormOpen =
				openForm?.phase.name === 'asking' && openForm.zone.id === zone?.id && isTouched(openForm);
			if (isEditedFormOpen && !purpose?.expression) return;
			form.begin(purpose ?? {});
			const lists = zone && getLists(zone.id);
			const needsReading = lists?.reading === 'unread' || lists?.reading === 'failed';
			if (getEmergency() === openForm || !needsReading || areFirewallRulesRetired(lists)) return;
			void get().work.run('loading the rules', 'background', async signal => {
				await get().firewall.load(signal);
				form.change({});
			});
		},
		resume(...draft) {
			form.resume(...draft);
			showCustomRuleIfRetired();
		},
		goToNextStep() {
			const emergency = getEmergency();
			form.goToNextStep();
			if (emergency?.step === 'action') showCustomRuleIfRetired();
		},
		chooseAction(action) {
			form.chooseAction(action);
			showCustomRuleIfRetired();
		},
		askEnd() {
			const emergency = getEmergency();
			if (!isInReview(emergency)) return;
			const expression = getTypedExpression(emergency.editing);
			get().dialog.openField({
				title: 'When does the block end?',
				lines: ['A duration (30m, 2h, 7d) or a time in UTC. Type never for a block without an end.'],
				value: formatEndText(expression),
				actionLabel: 'show request',
				check: text => checkTypedEnd(text, expression),
				submit(text) {
					const current = getEmergency();
					if (current?.id !== emergency.id || !isInReview(current)) return;
					form.change(toReview(emergencyKind, withTypedEnd(current, text)));
				},
			});
		},
		togglePriority() {
			const emergency = getEmergency();
			if (!isInReview(emergency)) return;
			const {aboutFields} = emergency;
			const isFirst = getBufferText(aboutFields.order) !== '';
			const firstPriority = describeFirstPriority(
				getEmergencyRules(emergency),
				buildEmergencyDraft(emergency).action,
			);
			const order = createLine(isFirst ? '' : String(firstPriority.priority));
			form.change(toReview(emergencyKind, {...emergency, aboutFields: {...aboutFields, order}}));
			if (!isFirst && !firstPriority.isFirst) get().messages.warn(firstPriority.sentence);
		},
		showCustomRule,
		showFirewallRule() {
			const emergency = getEmergency();
			if (!isInReview(emergency)) return;
			form.change(toReview<EmergencyState>(emergencyKind, {...emergency, way: 'firewall rule'}));
		},
	};
};
