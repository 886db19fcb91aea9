import {asFailure, type Failure, isFailure} from '../../failure.ts';
import type {FlowStep, FlowWork, MigrationFlow} from '../../migration/flow/flow.ts';
import type {Seen} from '../../migration/machine/stage.ts';
import type {Client} from '../../service/client.ts';
import {qualifyCommands} from '../../session/qualify-commands.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Ports, Slice} from '../../store/slice.ts';
import {lookingTime} from '../review/state.ts';
import {paced} from '../shell/paced.ts';
import type {Work} from '../shell/work-slice.ts';
import {toStep} from './moving.ts';
import {type MigrationPhase, type MigrationState, type MigrationStep, whyHeld} from './state.ts';
import {createThrottle} from './throttle.ts';

/** A migration that is open, and what drives it. Nobody else writes its journal meanwhile. */
export type OpenMigration = {
	/** That of the state. */
	readonly id: number;
	readonly flow: MigrationFlow;
	readonly client: Client;
	readonly place: string;
	/** Ends what reads and watches when the screen is left. */
	readonly stopped: AbortController;
};

/** What the parts of the slice share: the state, what drives it, and one way of doing what takes time. */
export type MigrationContext = {
	readonly get: () => LedgeState;
	readonly ports: Ports;
	opened(): OpenMigration | undefined;
	/** Changes the migration in front, if it is still that one; what is asked anew has to be looked at anew. */
	change(id: number, part: Partial<MigrationState>): void;
	/**
	 * Does something that takes time and shows it; a failure stays on the screen. Gives whether it came to its end, and
	 * never fails.
	 */
	doing(
		about: Doing,
		action: (open: OpenMigration, work: ContextWork) => Promise<Partial<MigrationState>>,
	): Promise<boolean>;
	/** What went wrong with a zone; the commands that it advises act there. */
	ledThere(zoneId: string, error: unknown): Failure;
	/** Goes to a step of the migration in front. */
	go(step: MigrationStep, part?: Partial<MigrationState>): void;
	/** The write under way: over as soon as it has its answer, or that is lost. None: nothing is being written. */
	writing(): Promise<void> | undefined;
	/** Whether there was time to read what is asked. Says so where there was not. */
	isLookedAt(): boolean;
};

type Doing = {
	readonly label: string;
	/** What only reads ends when the screen is left; a write goes on (decision 41). */
	readonly kind: Work['kind'];
	readonly phase: MigrationPhase;
	/** Where it goes meanwhile. */
	readonly step?: MigrationStep;
	readonly watched?: MigrationState['watched'];
};

/** What an action is given: also how it tells how far it is, as often as it likes. */
export type ContextWork = FlowWork & {tell(phase: MigrationPhase): void};

/** Milliseconds between two drawings of what is read, and of what is watched (decision 45). */
const progressClock = 2000;
const watchClock = 30_000;

export function createMigrationContext(
	set: Parameters<Slice<unknown>>[0],
	get: () => LedgeState,
	ports: Ports,
	opened: () => OpenMigration | undefined,
): MigrationContext {
	let cameUp = 0;
	let writing: Promise<void> | undefined;
	const looked = () => {
		cameUp = ports.elapsed();
	};
	const throttle = createThrottle(set, get, ports.elapsed, looked);

	const change: MigrationContext['change'] = (id, part) => {
		const {migration} = get();
		if (migration?.id !== id) return;
		if (asks.some(one => one in part && part[one] !== migration[one])) looked();
		throttle.show({...migration, ...part});
	};

	const doing: MigrationContext['doing'] = async ({label, kind, phase, step, watched: begun}, action) => {
		const open = opened();
		const {migration} = get();
		const why = migration && whyHeld(migration);
		if (!open && why) get().fail(why);
		if (!open || migration?.id !== open.id || migration.phase.name !== 'asking') return false;
		const {id, flow} = open;
		const answer = Promise.withResolvers<void>();
		if (kind === 'write') writing = answer.promise;
		change(id, {
			phase,
			failure: undefined,
			...(step && toStep(step)),
			...(begun && {watched: begun}),
		});
		const progress = paced(progressClock, ports.elapsed, (told: MigrationPhase) => change(id, {phase: told}));
		const watched = watching(ports, part => change(id, part));
		let part: Partial<MigrationState> = {};
		let failure: Failure | undefined;
		// What is looked at again and again would be drawn each time.
		let isWatched = phase.name === 'watching';
		const isDone = await get().run(label, kind, async signal => {
			const signals = kind === 'write' ? [signal] : [signal, open.stopped.signal];
			try {
				part = await action(open, {
					signal: AbortSignal.any(signals),
					tell: progress.tell,
					onStep(taken) {
						if (taken.does === 'watching') return watched.saw(taken.seen, flow);
						if (taken.does === 'trying') return watched.misses(taken);
						const isReading = taken.does === 'reading' || taken.does === 'backing up';
						if (isReading) return isWatched ? undefined : progress.tell(phaseOf(taken));
						isWatched = true;
						if (taken.does === 'looking') answer.resolve();
						progress.stop();
						change(id, {phase: phaseOf(taken), record: flow.record});
					},
				});
			} catch (error) {
				failure = ledThere(migration.zone.id, error);
				throw error;
			}
		});
		progress.stop();
		answer.resolve();
		if (kind === 'write') writing = undefined;
		change(id, {
			phase: {name: 'asking'},
			record: flow.record,
			unkept: flow.unkept,
			backup: flow.record.backup,
			...part,
			...(failure && !isFailure(failure, 'interrupted') && {failure}),
		});
		return isDone;
	};

	const ledThere: MigrationContext['ledThere'] = (zoneId, error) =>
		qualifyCommands(asFailure(error), {...ports.session.options, zone: undefined, zoneId});

	return {
		get,
		ports,
		ledThere,
		opened,
		change,
		doing,
		writing: () => writing,
		go(step, part = {}) {
			const {migration} = get();
			if (migration) change(migration.id, {...toStep(step), ...part});
		},
		isLookedAt() {
			if (ports.elapsed() - cameUp >= lookingTime) return true;
			get().warn('Look first: that key came before this could be read.');
			return false;
		},
	};
}

/** What has to be looked at before enter counts, once it changes. */
const asks = ['step', 'asks', 'failure', 'seen'] as const;

function phaseOf(step: Exclude<FlowStep, {does: 'watching' | 'trying'}>): MigrationPhase {
	switch (step.does) {
		case 'reading':
			return {name: 'reading', what: step.what};
		case 'backing up':
			return {name: 'backing up', objects: step.objects};
		case 'sending':
			return {name: 'sending', mode: step.mode};
		case 'looking':
			return {name: 'looking', until: step.until};
		default:
			return step satisfies never;
	}
}

/** Takes in what is seen while watching, or that nothing is: at once where it is something new, else every half minute. */
function watching(
	{now, elapsed}: Pick<Ports, 'now' | 'elapsed'>,
	show: (part: Partial<MigrationState>) => void,
) {
	const since = now();
	let shown: {readonly at: number; readonly words: string} | undefined;
	let asked = since;
	const isNew = (words: string): boolean => {
		if (shown && shown.words === words && elapsed() - shown.at < watchClock) return false;
		shown = {at: elapsed(), words};
		return true;
	};
	return {
		saw(seen: Seen, {record, unkept}: Pick<MigrationFlow, 'record' | 'unkept'>) {
			const {stage, status, entryPoint} = seen;
			asked = now();
			const words = [
				stage,
				status?.state,
				status?.newWaf,
				status?.oldWaf,
				entryPoint?.version,
				record.state,
			].join();
			if (isNew(words))
				show({
					phase: {name: 'watching'},
					record: {...record, seen},
					unkept,
					watched: {since, at: asked},
				});
		},
		misses({since: from, failure}: Extract<FlowStep, {does: 'trying'}>) {
			if (isNew(failure.message)) show({watched: {since, at: asked, unreached: {since: from, failure}}});
		},
	};
}
