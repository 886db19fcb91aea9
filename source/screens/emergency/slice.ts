import {asFailure} from '../../failure.ts';
import {readEngineMessage} from '../../firewall/expression/engine-message.ts';
import type {Finding} from '../../firewall/rules/checks.ts';
import {firstPriority} from '../../firewall/rules/order.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {refusedWith} from '../../service/refusal.ts';
import type {Slice} from '../../store/slice.ts';
import {expressionOf, refusedBy} from '../expression-editor/editing.ts';
import {afterZoneName} from '../firewall/broad-question.ts';
import {lookingTime} from '../review/state.ts';
import {atMost} from '../shell/at-most.ts';
import {stillUnknown} from '../shell/still-unknown.ts';
import {type EmergencyChoice, emergencyChoices, saidElsewhere, unmade, wayTo} from './endings.ts';
import {emergencyFormId} from './form.ts';
import {
	emergencyLastWords,
	emergencyLeavingLines,
	emergencyLeftSentence,
	isEmergencyLost,
} from './leaving.ts';
import type {Sent} from './sending.ts';
import {createEmergencyStages, type EmergencyStages} from './stages.ts';
import {
	beforeIn,
	type EmergencyEnding,
	type EmergencyPhase,
	type EmergencyState,
	emergencyBeginning,
	emergencyDraft,
	listsOf,
	obstacleIn,
	requestOf,
	wayOf,
} from './state.ts';
import {createEmergencyTyping, type EmergencyTyping} from './typing.ts';

export type EmergencySlice = EmergencyTyping &
	EmergencyStages & {
		readonly emergency: EmergencyState | undefined;
		/** Begins anew in the zone that is open; what is being sent or has just ended there is shown instead. */
		beginEmergency(): void;
		/** Opens what has begun with what a draft holds. */
		resumeEmergency(restore: (begun: EmergencyState) => EmergencyState): void;
		/** This stands on the screen now. */
		emergencyDrawn(drawn: EmergencyState): void;
		/** Sends what the last stage shows, if there was time to look at it. */
		sendEmergency(): Promise<void>;
		/** Shows the same as one custom rule, also where there are firewall rules: it needs no room among them. */
		customRuleInstead(): void;
		/** Stops what is being sent. What is there then is found out and said. */
		cancelEmergency(): void;
		decideInEmergency(choice: EmergencyChoice): Promise<void>;
		pointInEmergency(cursor: number): void;
		/** Leaves. What is being sent goes on; a filter without its rule is named. What was typed stays as a draft. */
		leaveEmergency(): void;
		/** The same, without a draft. */
		discardEmergency(): void;
		/** Whether leaving loses what was typed, or leaves a filter without its rule. */
		isEmergencyTouched(): boolean;
		/** Stops what is being sent, and waits until it is known what is there; not for ever. */
		endEmergency(): Promise<void>;
		/** What has to be said once ledge is gone, where something is left or was not seen. */
		emergencyLastWords(): string | undefined;
	};

/** Milliseconds that finding out what is there may keep someone who wants to leave ledge; he can go at once, too. */
const longestEnd = 6000;

/** The emergency screen: a filter and its rule in one call, or one custom rule where those are gone (decision 24). */
export const createEmergencySlice: Slice<EmergencySlice> = (set, get, {session, elapsed}) => {
	let numbered = 0;
	/** When what is asked came up. */
	let cameUp = 0;
	let stopped = new AbortController();
	let underWay: Promise<void> = Promise.resolve();

	const change = (id: number, part: Partial<EmergencyState>): void => {
		const {emergency} = get();
		if (emergency?.id !== id) return;
		if (asks.some(one => one in part)) cameUp = elapsed();
		const next = {...emergency, ...part};
		const isOther = shown.some(one => one in part);
		set({emergency: {...next, seen: isOther ? next.top : Math.max(next.seen, next.top)}});
	};

	function isLookedAt(): boolean {
		if (elapsed() - cameUp >= lookingTime) return true;
		get().warn('Look first: that key came before this could be read.');
		return false;
	}

	/** Reads something; esc stops it, and then it is as it was before. */
	async function reading(
		{id, phase}: EmergencyState,
		what: Extract<EmergencyPhase, {name: 'reading'}>['what'],
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
			const plan = await planCustomRule(await session.client(), asking.zone, emergencyDraft(asking), signal);
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

	const {stages, onInWizard} = createEmergencyStages(set, get, change, toSend);

	function finish(id: number, ending: EmergencyEnding): void {
		const {emergency, stack, firewall, leaving} = get();
		if (emergency?.id !== id) return;
		const refused = 'failure' in ending ? refusedWith(ending.failure)?.errors[0]?.message : undefined;
		const read =
			refused === undefined ? undefined : readEngineMessage(refused, expressionOf(emergency.editing));
		change(id, {
			phase: {name: 'ended', ending, cursor: 0},
			...(read && {editing: refusedBy(emergency.editing, read)}),
		});
		if (stack.at(-1) !== 'emergency' && !leaving) {
			const isDone = ending.state === 'created';
			if (isDone) set({emergency: undefined});
			get().say(saidElsewhere(emergency, ending, get()));
		}
		if (ending.state === 'nothing' || 'custom' in ending || firewall?.zone.id !== emergency.zone.id) return;
		get().firewallIsStale();
		if (ending.state === 'created' && stack.at(-1) !== 'firewall')
			get().pointInFirewall({kind: 'rule', id: ending.rule.id}, emergency.zone.id);
		readLists();
	}

	const readLists = () =>
		void get().run('reading the rules', 'background', signal => get().loadFirewall(signal));

	async function send(emergency: EmergencyState, label: string): Promise<void> {
		const {id, zone, action, way} = emergency;
		const what =
			way.form === 'custom rule' ? `emergency custom rule (${action})` : `emergency rule (${action})`;
		const onStep = (doing: 'rule' | 'looking') => change(id, {phase: {name: 'sending', doing}});
		stopped = new AbortController();
		onStep('rule');
		const over = Promise.withResolvers<void>();
		underWay = over.promise;
		let done: Sent | undefined;
		let uncounted: string | undefined;
		await get().run(label, 'write', async running => {
			const signal = AbortSignal.any([running, stopped.signal]);
			const client = await session.client();
			const [{sent}, {beforeEmergency}, {emergencyFindings}] = await Promise.all([
				import('./sending.ts'),
				import('../../firewall/rules/emergency.ts'),
				import('../../firewall/rules/emergency-check.ts'),
			]);
			const draft = emergencyDraft(emergency);
			const isRule = way.form === 'firewall rule';
			// What the lists show may be old: it counts only where nothing newer can be read in time.
			const before = isRule
				? ((await beforeEmergency(client, zone, draft, signal)) ?? beforeIn(emergency, get().firewall))
				: undefined;
			const full = isRule && emergencyFindings(draft, zone, before?.rules).find(isQuota);
			if (full && full.severity === 'error') {
				done = {state: 'nothing', failure: full.failure};
				return;
			}
			if (full && before === undefined) uncounted = full.sentence;
			done = await session.auditedWrites(
				labelOf(zone),
				({sends, wrote}) => {
					sends(what);
					return sent(client, emergency, {signal, before, onStep, onWrite: wrote});
				},
				unmade,
			);
		});
		if (done && done.state !== 'gone') finish(id, done);
		if (uncounted !== undefined && done?.state !== 'nothing') get().warn(uncounted);
		over.resolve();
		if (!done) return change(id, {phase: {name: 'asking'}});
		if (done.state !== 'gone') return;
		const {emergency: still, stack, leaving} = get();
		if (still?.id !== id) return;
		if (stack.at(-1) === 'emergency') return toCustomRule(still);
		change(id, {stage: 'send', phase: {name: 'asking'}, way: wayOf('custom rule'), top: 0});
		if (!leaving)
			get().warn(
				`${wayTo(still, get())} shows the same as one custom rule. Not in force: ${still.zone.name} has no firewall rules any more (410).`,
			);
	}

	return {
		...createEmergencyTyping(get, change),
		customRuleInstead() {
			const {emergency} = get();
			const isAsked = emergency?.stage === 'send' && emergency.phase.name === 'asking';
			if (isAsked && emergency.way.form === 'firewall rule') void toCustomRule(emergency, true);
		},
		...stages,
		emergency: undefined,
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
			if (isEmergencyLost(emergency))
				return get().warn('This one has not come to its end: leave it, and ! begins another one.');
			const isGone = firewall.reading === 'failed' && firewall.failure?.code === 'gone';
			cameUp = elapsed();
			const form = isGone ? 'custom rule' : 'firewall rule';
			set({emergency: emergencyBeginning(++numbered, firewall.zone, form)});
			if (firewall.reading === 'unread' || (firewall.reading === 'failed' && !isGone)) readLists();
		},
		resumeEmergency(restore) {
			const {emergency} = get();
			cameUp = elapsed();
			if (emergency) set({emergency: restore(emergency)});
		},
		emergencyDrawn(drawn) {
			if (get().emergency === drawn) cameUp = elapsed();
		},
		async sendEmergency() {
			const {emergency} = get();
			if (emergency?.stage !== 'send' || emergency.phase.name !== 'asking') return;
			const label =
				emergency.way.form === 'custom rule' ? 'creating a custom rule' : 'creating a firewall rule';
			try {
				session.refuseWhenReadOnly(label);
			} catch (error) {
				return get().fail(asFailure(error));
			}
			if (!requestOf(emergency)) return toCustomRule(emergency);
			if (!isLookedAt()) return;
			const obstacle = obstacleIn(emergency, get().firewall);
			if (obstacle !== undefined) return get().warn(obstacle);
			let sending: Promise<void> | undefined;
			const acting = {after: emergencyDraft(emergency)};
			afterZoneName(get(), emergency.zone, [acting], {does: 'send it'}, () => {
				const {emergency: now} = get();
				if (now?.id === emergency.id && now.phase === emergency.phase) sending = send(emergency, label);
			});
			await sending;
		},
		cancelEmergency: () => stopped.abort(),
		async decideInEmergency(choice) {
			const {emergency} = get();
			if (emergency?.phase.name !== 'ended' || !isLookedAt()) return;
			if (!emergencyChoices(emergency).some(({does}) => does === choice.does)) return;
			const {id, phase} = emergency;
			const {ending} = phase;
			const asking = {phase: {name: 'asking'}} as const;
			switch (choice.does) {
				case 'leave':
					// What was typed stands in that filter, and in the command.
					if (ending.state === 'filter left' || !isEmergencyLost(emergency)) return get().discardEmergency();
					return get().open({
						kind: 'confirm',
						title: 'Leave the emergency?',
						lines: [...emergencyLeavingLines(emergency), get().whenClosed()],
						does: 'leave it',
						confirm: () => get().leaveEmergency(),
						other: {does: 'discard it', act: () => get().discardEmergency()},
					});
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
					let seen: EmergencyEnding | undefined;
					await reading(emergency, 'what is there', async signal => {
						const client = await session.client();
						seen = await session.auditedWrites(labelOf(emergency.zone), ({wrote}) =>
							ending.lookAgain(client, {signal, onWrite: wrote}),
						);
						return {phase: {name: 'ended', ending: seen, cursor: 0}};
					});
					if (!seen) return;
					finish(id, seen);
					if (seen.state === 'unsure') get().warn(stillUnknown(seen.failure));
					return;
				}
				default:
					return choice.does satisfies never;
			}
		},
		pointInEmergency(cursor) {
			const {emergency} = get();
			if (emergency?.phase.name === 'ended')
				set({emergency: {...emergency, phase: {...emergency.phase, cursor}}});
		},
		leaveEmergency() {
			const {emergency} = get();
			if (emergency && emergency.phase.name !== 'sending') get().releaseDraft(emergencyFormId(emergency));
			get().discardEmergency();
		},
		discardEmergency() {
			const {emergency, back} = get();
			get().cancelReads();
			back();
			if (!emergency || emergency.phase.name === 'sending') return;
			set({emergency: undefined});
			const said = emergencyLeftSentence(emergency);
			if (said !== undefined) get().say(said);
		},
		isEmergencyTouched: () => isEmergencyLost(get().emergency),
		async endEmergency() {
			if (get().emergency?.phase.name !== 'sending') return;
			stopped.abort();
			await atMost(longestEnd, underWay);
		},
		emergencyLastWords: () => emergencyLastWords(get().emergency, get().leaving),
	};
};

const firstAmong = (rules: readonly Rule[]) => ({first: firstPriority(rules).priority});

const isQuota = ({about}: Finding): boolean => about === 'quota';

const labelOf = ({label, name}: EmergencyState['zone']): string => label ?? `zone ${name}`;

/** What has to be looked at before enter counts, once it changes. */
const asks = ['phase', 'stage', 'order', 'way', 'top'] as const;
/** What the rows that were seen depend on. */
const shown = ['stage', 'order', 'way', 'shows'] as const;
