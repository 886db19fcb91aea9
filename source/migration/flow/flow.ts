import {asFailure, Failure} from '../../failure.ts';
import {advice, inZone} from '../../text/advice.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {withDeleted} from '../journal/deleted-overrides.ts';
import {isReal} from '../journal/folder.ts';
import type {MigrationJournal} from '../journal/journal.ts';
import type {KeptBackup, MigrationRecord, Put, ValidationShown} from '../journal/record.ts';
import {markOf, otherThanSent, wasTaken} from '../machine/observation.ts';
import type {Mode, Observation} from '../machine/stage.ts';
import {isInDoubt, isNotTaken, stateTable} from '../machine/states.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {backUpNow, keepBackup, readZone} from './backing-up.ts';
import {type ReviewDrift, readReviewDrift} from './drift.ts';
import {createDriving, createTurns, type Driving} from './driving.ts';
import {refuseWrong} from './guards.ts';
import {settle} from './lost-answer.ts';
import type {Confirmation, FlowParts, FlowWork} from './parts.ts';
import {ask, isSameMark, type ReviewBasis, refuseTooEarly, review} from './reviewing.ts';
import {described, send as sendReviewed} from './sending.ts';
import {watch} from './watching.ts';

/**
 * The migration of one zone: the machine, driven. Every step that writes reads check, status and entry point again
 * just before, and is in the journal before it goes out and after its answer came. The only way by
 * which an entry point PUT leaves ledge.
 */
export type MigrationFlow = {
	readonly zone: MigrationZone;
	readonly journal: MigrationJournal;
	readonly record: MigrationRecord;
	/** Why the last thing that was seen is not in the journal (the disk is full): the next reading keeps it. */
	readonly unkept?: Failure | undefined;
	/** Reads check, status and entry point, and takes the machine on. */
	look(work: FlowWork): Promise<Observation>;
	/**
	 * Reads the zone, and fails with `input_malformed` where this configuration would not be sent: an id that no managed
	 * ruleset of the zone has, for one. Returns what was read, which `backUp` takes. Nothing is asked of a person before.
	 */
	check(configuration: Configuration, work: FlowWork): Promise<Snapshot>;
	/** Keeps a backup of a snapshot (read now if none is given) in the zone's folder; of the same content there is one. */
	backUp(work: FlowWork, snapshot?: Snapshot): Promise<KeptBackup>;
	/** A person reviewed this configuration, and was shown that: it is kept, and nothing else is ever sent. */
	review(configuration: Configuration, basis: ReviewBasis, goal: Mode): Promise<void>;
	/** A person asks for this PUT; what was asked for before and did not go is not to go instead (`digits`: of what). */
	ask(mode: Mode, digits?: string): Promise<void>;
	/** An override was deleted here; what it did has to be recreated. */
	overrideDeleted(id: string): Promise<void>;
	/** What security events showed during validation: it is kept for the report. */
	validationShown(shown: ValidationShown): Promise<void>;
	/** What was reviewed, out of the zone's folder; fails with `journal_invalid` where it is not what the journal says. */
	reviewed(): Promise<Configuration | undefined>;
	/** The configuration was changed after its review. */
	edit(): Promise<void>;
	/** Ready to update: the previous version may be turned off next. */
	ready(): Promise<void>;
	/**
	 * A person has seen the current state, after the zone was changed elsewhere, or an hour after a PUT of which nothing
	 * shows: the zone is reread, and nothing counts as reviewed. Fails with `changed_meanwhile` where the rules are no
	 * longer the ones that `shown` describes.
	 */
	takeOver(work: FlowWork, shown: Pick<ReviewDrift, 'entryPoint'>): Promise<Observation>;
	/** Reads how the current rules of the zone differ from those reviewed here. */
	drift(work: FlowWork): Promise<ReviewDrift>;
	/**
	 * Sends what was reviewed. Refuses (and sends nothing) unless confirmed by the zone's name, eligible, backed up, and
	 * all as it was at the review. A lost answer is settled before this returns: the zone is looked at for five
	 * minutes. Returns the record; whether it was taken is its `state`. Fails where nothing was sent, the service refused,
	 * or the journal could not be written afterwards. A confirmation serves once.
	 */
	send(mode: Mode, confirmation: Confirmation, work: FlowWork): Promise<MigrationRecord>;
	/** Continues looking for what became of a PUT whose answer is lost, until the deadline that it had from the first. */
	settle(work: FlowWork): Promise<MigrationRecord>;
	/** Watches until the machine is at rest: `validating`, `complete`, `moved on` …; ever more seldom, for an hour at most. */
	watch(work: FlowWork): Promise<MigrationRecord>;
};

/**
 * The flow of a zone, from where its journal stands. It sends and reads nothing by itself. A real zone wants a journal
 * on the disk, unless nothing is sent at all.
 */
export function createFlow(parts: FlowParts): MigrationFlow {
	const {client, zone, journal, readOnly} = parts;
	if (journal.folder === undefined && !client.dryRun && !readOnly && isReal(journal.target))
		throw new Failure('internal', 'The migration of a real zone wants a journal on the disk.');
	const driving = createDriving(parts);
	const inTurn = createTurns();
	const used = new WeakSet<Confirmation>();

	async function reviewed(): Promise<Configuration | undefined> {
		const {reviewed: known} = driving.record;
		return known && journal.readReviewed(known.fingerprint);
	}

	async function send(mode: Mode, confirmation: Confirmation, work: FlowWork): Promise<Put | undefined> {
		if (used.has(confirmation))
			throw new Failure('unconfirmed', 'A confirmation serves for one sending only.', {
				next: `Confirm with the name of the zone, ${zone.name}, again.`,
			});
		// Whatever comes of it: it was given for what was shown then.
		used.add(confirmation);
		await ask(driving, mode);
		return sendReviewed(driving, {
			mode,
			confirmation,
			work,
			backUp: () => backUpNow(driving, confirmation, work),
		});
	}

	return {
		zone,
		journal,
		get record() {
			return driving.record;
		},
		get unkept() {
			return driving.unkept;
		},
		reviewed,
		look: work => inTurn(() => driving.look(work)),
		check: (configuration, work) =>
			inTurn(async () => {
				const snapshot = await readZone(driving, work);
				refuseWrong(configuration, snapshot);
				return snapshot;
			}),
		backUp: (work, snapshot) =>
			inTurn(async () => keepBackup(driving, snapshot ?? (await readZone(driving, work)))),
		review: (configuration, basis, goal) => inTurn(() => review(driving, configuration, basis, goal)),
		ask: (mode, digits) => inTurn(() => ask(driving, mode, digits)),
		validationShown: validation => inTurn(() => driving.change({validation})),
		overrideDeleted: id => inTurn(() => driving.change(withDeleted(driving.record, id))),
		edit: () => inTurn(() => driving.take('edit', 'Editing', {reviewed: undefined})),
		ready: () => inTurn(() => driving.take('ready', 'Ready to update', {goal: 'pending'})),
		drift: work =>
			inTurn(() => readReviewDrift(client, zone, driving.record, journal.readReviewed, work.signal)),
		takeOver: (work, shown) =>
			inTurn(async () => {
				refuseTooEarly(driving);
				const now = await driving.look(work);
				if (!isSameMark(markOf(now), shown.entryPoint)) throw changedSinceShown(zone);
				await driving.take('take over', 'Taking over', {
					reviewed: undefined,
					put: undefined,
					goal: undefined,
				});
				return driving.look(work);
			}),
		async send(mode, confirmation, work) {
			const before = driving.record.state;
			let put: Put | undefined;
			try {
				put = await inTurn(() => send(mode, confirmation, work));
			} catch (error) {
				const {state} = driving.record;
				if (!isNotTaken(state) || state === before) throw error;
				throw await refusedBy(driving, asFailure(error), () => inTurn(() => driving.look(work)));
			}
			if (put?.came === 'lost') {
				if (wasTaken(await settle(driving, inTurn, work))) work.wrote?.(described(put.mode, put.fingerprint));
			} else if (put) {
				// It was taken, whatever becomes of this reading: watching reads again.
				await inTurn(() => driving.look(work)).catch(() => {});
			}
			if (driving.unkept) throw notWritten(driving);
			return driving.record;
		},
		settle: work => settle(driving, inTurn, work),
		async watch(work) {
			if (isInDoubt(driving.record.state)) await settle(driving, inTurn, work);
			return watch(driving, inTurn, work);
		},
	};
}

const changedSinceShown = ({name}: MigrationZone): Failure =>
	new Failure('changed_meanwhile', `The managed rules of ${name} changed again since they were shown.`, {
		left: 'Nothing was sent, and the review is kept.',
		next: 'Check the current differences, then take over again.',
	});

/** What there is, after the service refused a PUT: read, if it can be. */
async function refusedBy(driving: Driving, failure: Failure, look: () => Promise<unknown>): Promise<Failure> {
	try {
		await look();
	} catch {
		// The refusal is the failure: that the zone could not be read after it changes nothing for the person.
		return failure;
	}
	const {seen, put} = driving.record;
	const isUnchanged = seen?.stage === put?.before.stage && seen?.entryPoint?.version === put?.before.version;
	return failure.with({
		left: isUnchanged
			? 'Request rejected; the zone is unchanged.'
			: `Request rejected. Now: ${inWords(driving)}`,
	});
}

/** The service has it, and the journal has not. */
function notWritten(driving: Driving): Failure {
	const {unkept, record} = driving;
	const taken = record.put?.came === 'accepted' || wasTaken(record);
	return (unkept ?? new Failure('file_failed', 'The journal cannot be written.')).with({
		left: `${
			taken
				? 'The configuration was sent, and the service took it.'
				: 'The configuration was sent, and its answer could not be kept.'
		} Now: ${inWords(driving)}`,
		next: advice`Make the state directory writable; \`${inZone('migration resume')}\` then continues from what the service reports.`,
	});
}

const inWords = ({record}: Driving): string =>
	[`${stateTable[record.state].means}.`, otherThanSent(record)].filter(Boolean).join(' ');
