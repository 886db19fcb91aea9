import type {Finding} from '../../firewall/rules/checks.ts';
import {ownAddress} from '../../firewall/rules/emergency-check.ts';
import {firstPriority} from '../../firewall/rules/order.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import type {Key} from '../../keyboard/key.ts';
import {permittedBefore} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {placeOf} from '../firewall/writes.ts';
import {wayTo} from '../stepped-form/elsewhere.ts';
import {createSteppedForm, type SteppedForm} from '../stepped-form/engine.ts';
import {asking} from '../stepped-form/state.ts';
import {type Choice, choicesOf, sentenceOf, unmade} from './endings.ts';
import {isLost, lastWordsOf, leavingLines, leftSentence} from './leaving.ts';
import type {Sent} from './sending.ts';
import {createEmergencyStages, type EmergencyStages} from './stages.ts';
import {
	beforeIn,
	beginning,
	type Doing,
	draftOf,
	type EmergencyState,
	type Ending,
	isTyping,
	listsOf,
	obstacleIn,
	type Phase,
	requestOf,
	wayOf,
} from './state.ts';

export type EmergencySlice = EmergencyStages & {
	readonly emergency: EmergencyState | undefined;
	readonly emergencyForm: SteppedForm;
	/** Begins in the zone that is open; what is being sent or has just ended there is shown instead. */
	beginEmergency(): void;
	/** Opens what has begun with what a draft holds. */
	resumeEmergency(restore: (begun: EmergencyState) => EmergencyState): void;
	/** A key in the expression. Returns whether it means anything there. */
	typeInEmergency(key: Key): boolean;
	/** Sends what the last stage shows, if there was time to look at it. */
	sendEmergency(): Promise<void>;
	/** Shows the same as one custom rule, also where there are firewall rules: it does not count as one of them. */
	customRuleInstead(): void;
	decideInEmergency(choice: Choice): Promise<void>;
};

/** The emergency screen: a filter and its rule in one call, or one custom rule where those are gone. */
export const createEmergencySlice: Slice<EmergencySlice> = (set, get, ports) => {
	const {session} = ports;
	let numbered = 0;
	const form = createSteppedForm<Doing, Ending, EmergencyState>(get, ports, {
		screen: 'emergency',
		noun: 'emergency',
		list: 'firewall',
		key: '!',
		read: () => get().emergency,
		show: emergency => set({emergency}),
		asks: ['phase', 'stage', 'order', 'way', 'top'],
		adjusted(next, part) {
			const isOther = ['stage', 'order', 'way', 'shows'].some(name => name in part);
			return {...next, seen: isOther ? next.top : Math.max(next.seen, next.top)};
		},
		isTyping,
		isLost,
		leavingLines,
		leftSentence,
		lastWords: lastWordsOf,
		ended: (_, ending) => ({
			sentence: sentenceOf(ending),
			isDone: ending.state === 'created',
			isListed: ending.state !== 'nothing' && !('custom' in ending),
			made:
				ending.state === 'created' && !('custom' in ending) ? {kind: 'rule', id: ending.rule.id} : undefined,
		}),
		beforeLeaving: () => void get().cancelReads(),
	});
	const {change} = form;

	/** Reads something; esc stops it, and then it is as it was before. */
	async function reading(
		{id, phase}: EmergencyState,
		what: Extract<Phase, {name: 'reading'}>['what'],
		read: (signal: AbortSignal) => Promise<Partial<EmergencyState>>,
	): Promise<void> {
		change(id, {phase: {name: 'reading', what, after: phase}});
		let found: Partial<EmergencyState> | undefined;
		await get().run(`reading ${what}`, 'read', async signal => {
			found = await read(signal);
		});
		const {emergency} = get();
		if (emergency?.id !== id || emergency.phase.name !== 'reading') return;
		change(id, found ?? {phase});
	}

	/** Reads the custom rules that are there, and shows what would be sent. `isChosen`: there are firewall rules, too. */
	function toCustomRule(emergency: EmergencyState, chosen = false): Promise<void> {
		const before = emergency.way.form === 'custom rule' && emergency.way.isChosen === true;
		const isChosen = chosen || before;
		const asking: EmergencyState = {
			...emergency,
			stage: 'send',
			phase: {name: 'asking'},
			way: {form: 'custom rule', plan: undefined, isChosen},
			top: 0,
		};
		change(emergency.id, asking);
		return reading(asking, 'the custom rules', async signal => {
			const {planCustomRule} = await import('../../firewall/rules/emergency-custom-rule.ts');
			const plan = await planCustomRule(await session.client(), asking.zone, draftOf(asking), signal);
			const way = {form: 'custom rule', plan, isChosen} as const;
			const {already: rule, entry: ruleset} = plan;
			if (!rule || !ruleset) return {phase: {name: 'asking'}, way};
			const ending = {state: 'created', custom: true, rule, ruleset, already: true} as const;
			return {phase: {name: 'ended', ending, cursor: 0}, way};
		});
	}

	function toSend(emergency: EmergencyState) {
		if (emergency.way.form === 'custom rule') return void toCustomRule(emergency);
		const {action, order} = emergency;
		const first =
			order === 'as it comes' ? {} : {order: firstAmong(listsOf(emergency, get().firewall)?.rules ?? [])};
		change(emergency.id, {action, ...first, stage: 'send', phase: {name: 'asking'}, top: 0});
	}

	const {stages, onInWizard} = createEmergencyStages(set, get, form, toSend);

	async function send(emergency: EmergencyState, label: string): Promise<void> {
		const {id, zone, action, way} = emergency;
		const what =
			way.form === 'custom rule' ? `emergency custom rule (${action})` : `emergency rule (${action})`;
		let uncounted: string | undefined;
		let gone = false;
		const work = async (signal: AbortSignal, onStep: (doing: Doing) => void): Promise<Sent> => {
			const place = await session.permit(placeOf(zone), what);
			const client = await session.client();
			const [{sent}, {beforeEmergency}, {emergencyFindings}] = await Promise.all([
				import('./sending.ts'),
				import('../../firewall/rules/emergency.ts'),
				import('../../firewall/rules/emergency-check.ts'),
			]);
			const draft = draftOf(emergency);
			const isRule = way.form === 'firewall rule';
			// What the lists show may be old: it counts only where nothing newer can be read in time.
			const before = isRule
				? ((await beforeEmergency(client, zone, draft, signal)) ?? beforeIn(emergency, get().firewall))
				: undefined;
			const full = isRule && emergencyFindings(draft, zone, before?.rules).find(isQuota);
			if (full && full.severity === 'error') return {state: 'nothing', failure: full.failure};
			if (full && before === undefined) uncounted = full.sentence;
			return session.auditedWrites(
				place,
				({sends, wrote}) => {
					sends(what);
					return sent(client, emergency, {signal, before, onStep, onWrite: wrote});
				},
				unmade,
			);
		};
		await form.send(emergency, label, 'rule', work, done => {
			if (done.state === 'gone') gone = true;
			else form.finish(id, done);
			if (uncounted !== undefined && done.state !== 'nothing') get().warn(uncounted);
		});
		const {emergency: still, stack, leaving} = get();
		if (!gone || still?.id !== id) return;
		if (stack.at(-1) === 'emergency') return toCustomRule(still);
		change(id, {...asking, stage: 'send', way: wayOf('custom rule'), top: 0});
		if (!leaving)
			get().warn(
				`${wayTo({list: 'firewall', key: '!'}, zone, get())} shows the same as one custom rule. Not in force: ${zone.name} no longer has firewall rules (410).`,
			);
	}

	return {
		customRuleInstead() {
			const {emergency} = get();
			const isAsked = emergency?.stage === 'send' && emergency.phase.name === 'asking';
			if (isAsked && emergency.way.form === 'firewall rule') void toCustomRule(emergency, true);
		},
		...stages,
		emergency: undefined,
		emergencyForm: form.actions,
		typeInEmergency: form.type,
		beginEmergency() {
			const {firewall, emergency} = get();
			if (emergency?.phase.name === 'sending')
				return get().warn('This is still being sent: another one can begin afterwards.');
			if (!firewall) return get().warn('Choose a zone first.');
			if (emergency && emergency.zone.id === firewall.zone.id) {
				// It was sent, and turned out to be gone, while another screen was in front.
				const isUnread = emergency.stage === 'send' && emergency.phase.name === 'asking';
				if (isUnread && !requestOf(emergency)) void toCustomRule(emergency);
				return;
			}
			if (isLost(emergency))
				return get().warn('This one has not come to its end: leave it, and ! begins another one.');
			const isGone = firewall.reading === 'failed' && firewall.failure?.code === 'gone';
			form.comesUp();
			const way = isGone ? 'custom rule' : 'firewall rule';
			set({emergency: beginning(++numbered, firewall.zone, way, ownAddress(session.env))});
			if (firewall.reading === 'unread' || (firewall.reading === 'failed' && !isGone)) form.readLists();
		},
		resumeEmergency(restore) {
			const {emergency} = get();
			form.comesUp();
			if (emergency) set({emergency: restore(emergency)});
		},
		async sendEmergency() {
			const {emergency} = get();
			if (emergency?.stage !== 'send' || emergency.phase.name !== 'asking') return;
			const label =
				emergency.way.form === 'custom rule' ? 'creating a custom rule' : 'creating a firewall rule';
			if (!form.mayWrite(label)) return;
			if (!requestOf(emergency)) return toCustomRule(emergency);
			if (!form.isLookedAt()) return;
			const obstacle = obstacleIn(emergency, get().firewall);
			if (obstacle !== undefined) return get().warn(obstacle);
			await form.confirmed(emergency, [{after: draftOf(emergency)}], () => send(emergency, label));
		},
		async decideInEmergency(choice) {
			const {emergency} = get();
			if (emergency?.phase.name !== 'ended' || !form.isLookedAt()) return;
			if (!choicesOf(emergency).some(({does}) => does === choice.does)) return;
			const {id, phase} = emergency;
			const {ending} = phase;
			switch (choice.does) {
				case 'leave':
					// What was typed is in that filter, and in the command.
					return form.leaveChosen(emergency, ending.state === 'filter left');
				case 'change the expression':
					return change(id, {...asking, stage: 'expression', way: wayOf(emergency.way.form)});
				case 'back to the request':
					return toSend({...emergency, ...asking});
				case 'use the filter': {
					if (ending.state === 'filter left') return onInWizard(emergency, ending.filter.id);
					if (ending.state === 'duplicate') return onInWizard(emergency, ending.filterId);
					return;
				}
				case 'look again': {
					if (ending.state !== 'unsure') return;
					let seen: Ending | undefined;
					await reading(emergency, 'the current state', async signal => {
						const client = await session.client();
						seen = await session.auditedWrites(permittedBefore(placeOf(emergency.zone)), ({wrote}) =>
							ending.lookAgain(client, {signal, onWrite: wrote}),
						);
						return {phase: {name: 'ended', ending: seen, cursor: 0}};
					});
					if (!seen) return;
					form.finish(id, seen);
					return form.warnIfUnknown(id);
				}
				default:
					return choice.does satisfies never;
			}
		},
	};
};

const firstAmong = (rules: readonly Rule[]) => ({first: firstPriority(rules).priority});

const isQuota = ({about}: Finding): boolean => about === 'quota';
