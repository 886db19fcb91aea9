import {Failure, toFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {buildAdvice, buildKeysCommand} from '../../text/advice.ts';
import {
	findExpirationProblem,
	findKeyProblem,
	findStoredMetadataProblem,
	limits,
	type Problem,
	toEpochSeconds,
} from '../limits.ts';
import {mayHaveTakenEffect} from '../send.ts';
import type {KvStore, StoredValue} from '../store.ts';
import {type CompletedRename, computeRestoredLifetime} from './undo.ts';
import {isSameState, putWholeKey, readWholeKey, type WholeKey} from './whole-key.ts';

/** A key to move to another name (`rename`), or to have under both (`copy`). */
export type Renaming = {readonly kind: 'rename' | 'copy'; readonly from: string; readonly to: string};

/** Content of both names; undefined if the key does not exist. */
type BothNames = {readonly source: WholeKey | undefined; readonly target: WholeKey | undefined};

/** What to do, given the content of both names. */
export type RenamePlan =
	/** Writes the new name, replacing `overwrittenKey` if it exists. */
	| {readonly type: 'write'; readonly source: WholeKey; readonly overwrittenKey: WholeKey | undefined}
	/** The new name has the same content already: only the old one must be deleted. */
	| {readonly type: 'finish'; readonly source: WholeKey}
	/** The copy exists already. */
	| {readonly type: 'already'; readonly source: WholeKey}
	/** The key does not exist. */
	| {readonly type: 'absent'; readonly target: WholeKey | undefined}
	| ({readonly type: 'refused'} & Problem);

/** A plan that can run after the user agrees to what it overwrites. */
export type PossibleRename = Extract<RenamePlan, {readonly source: WholeKey}>;

/** What this run did, not counting the work of an interrupted one. */
export type RenameResult = {
	readonly written: boolean;
	readonly deleted: boolean;
	/** True if a response was lost, and reads confirmed the write. */
	readonly hasLostResponse: boolean;
};

/** Returns what is wrong with the new name, or undefined. */
export function findRenameProblem({from, to}: Renaming): Problem | undefined {
	if (from === to)
		return {what: 'Both names are the same.', why: `The key is already called ${JSON.stringify(from)}.`};
	return findKeyProblem(to);
}

/** Reads both names. Reads from the service may be 60 s old. */
export async function readBothNames(
	store: KvStore,
	{from, to}: Renaming,
	signal: AbortSignal,
): Promise<BothNames> {
	const [source, target] = await Promise.all([
		readWholeKey(store, from, signal),
		readWholeKey(store, to, signal),
	]);
	return {source, target};
}

/** Plans a rename. Equal content under both names is left from an interrupted run. `now` in UNIX seconds. */
export function planRename(renaming: Renaming, {source, target}: BothNames, now: number): RenamePlan {
	const problem = findRenameProblem(renaming);
	if (problem) return {type: 'refused', ...problem};
	if (!source) return {type: 'absent', target};
	if (isSameState(source, target)) return {type: renaming.kind === 'rename' ? 'finish' : 'already', source};
	const contentProblem = findRewriteProblem(source, now);
	return contentProblem
		? {type: 'refused', ...contentProblem}
		: {type: 'write', source, overwrittenKey: target};
}

/** Returns why a key cannot be written again with its metadata and expiry; undefined if it can. */
function findRewriteProblem({metadata, expiration}: WholeKey, now: number): Problem | undefined {
	const metadataProblem = metadata === null ? undefined : findStoredMetadataProblem(metadata);
	if (metadataProblem || expiration === undefined) return metadataProblem;
	const secondsLeft = expiration - now;
	if (secondsLeft >= limits.minimumTtl) return findExpirationProblem(expiration, now);
	return {
		what: secondsLeft > 0 ? `The key expires in ${secondsLeft} s.` : 'The key has expired.',
		why: `The service accepts no expiration less than ${limits.minimumTtl} s away, and a new name is a new key.`,
	};
}

/** True if both names still have the content that the plan was made for. */
export function isSamePlan(one: RenamePlan, other: RenamePlan): boolean {
	if (!('source' in one) || !('source' in other) || one.type !== other.type) return false;
	const [overwrittenKey, otherOverwrittenKey] = [getOverwrittenKey(one), getOverwrittenKey(other)];
	return isSameState(one.source, other.source) && isSameState(overwrittenKey, otherOverwrittenKey);
}

/** Returns the content that the plan overwrites. */
export const getOverwrittenKey = (plan: RenamePlan): WholeKey | undefined =>
	plan.type === 'write' ? plan.overwrittenKey : undefined;

type RenameOptions = {
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** True for a dry run: nothing can be read back. */
	readonly isDryRun?: boolean | undefined;
};

/** Milliseconds to wait for a write to show in reads, which may be 60 s old. */
export const maxPollMs = 75_000;
const firstWaitMs = 500;
const maxWaitMs = 10_000;

/**
 * Writes the new name, reads it back, reads the old name again, and deletes it if it is still what was
 * copied. Sends nothing twice: if a response is lost, it polls the state as long as reads may be old. Every
 * failure says what exists under which name; the key always exists under at least one. Running it again
 * completes it.
 */
export async function performRename(
	store: KvStore,
	renaming: Renaming,
	plan: PossibleRename,
	options: RenameOptions,
): Promise<RenameResult> {
	const {kind} = renaming;
	if (kind === 'rename' && plan.type === 'write' && store.move && !options.isDryRun)
		return moveAtOnce(store, renaming, plan, options);
	const isWritten = plan.type === 'write';
	const hasLostWriteResponse = isWritten && (await writeTarget(store, renaming, plan, options));
	if (kind === 'copy') return {written: isWritten, deleted: false, hasLostResponse: hasLostWriteResponse};
	const deletionResult = await deleteSource(store, renaming, plan, options);
	return {
		written: isWritten,
		deleted: deletionResult !== 'gone',
		hasLostResponse: hasLostWriteResponse || deletionResult === 'lost',
	};
}

/**
 * Undoes a rename: restores the old name, and restores or deletes the new one. The key always exists under at
 * least one name, and running it again completes it. Fails with `changed_meanwhile` if either name changed,
 * and with `limit` if the key cannot be rewritten. Returns what differs from before, and whether a
 * response was lost.
 */
export async function undoRename(
	store: KvStore,
	{from, to, source, overwrittenKey}: Omit<CompletedRename, 'target'>,
	options: RenameOptions,
): Promise<{readonly notes: readonly string[]; readonly hasLostResponse: boolean}> {
	const {signal} = options;
	const now = toEpochSeconds(options.clock.now());
	const contentProblem = findRewriteProblem(source, now);
	if (contentProblem)
		throw new Failure('limit', contentProblem.what, {why: contentProblem.why, left: 'Nothing was undone.'});
	const holdsSource = (stored: WholeKey | undefined) => isSameState(stored, source);
	/** True if the new name has its former content; reads may be old enough to still show it. */
	const isAsBefore = (stored: WholeKey | undefined) => isSameState(stored, overwrittenKey);
	const [oldKey, newKey] = await Promise.all([
		readWholeKey(store, from, signal),
		readWholeKey(store, to, signal),
	]);
	const renamedKey = isAsBefore(newKey) ? await pollKey(store, to, holdsSource, options) : newKey;
	const changedName = !holdsSource(renamedKey) ? to : oldKey && !holdsSource(oldKey) ? from : undefined;
	if (changedName !== undefined) throw createChangedSinceFailure(changedName, 'Nothing was undone.');
	const reverseRenaming: Renaming = {kind: 'rename', from: to, to: from};
	const plan = {type: 'write', source, overwrittenKey: undefined} as const;
	if (store.move && !overwrittenKey && !oldKey) {
		const {hasLostResponse} = await moveAtOnce(store, reverseRenaming, plan, options);
		return {notes: [], hasLostResponse};
	}
	let hasLostResponse = await writeTarget(store, reverseRenaming, plan, options);
	const {lifetime, note} = computeRestoredLifetime(overwrittenKey?.expiration, now);
	const restoredText = `${quoteName(from)} was restored`;
	try {
		const stored = await readWholeKey(store, to, signal);
		if (!holdsSource(stored) && !isAsBefore(stored))
			throw createChangedSinceFailure(to, `${restoredText}; the other key was left unchanged.`);
		if (overwrittenKey)
			await putWholeKey(store, to, overwrittenKey, lifetime === 'never' ? {} : lifetime, signal);
		else await store.delete(to, signal);
	} catch (error) {
		const failure = toFailure(error);
		if (failure.code === 'changed_meanwhile') throw failure;
		hasLostResponse =
			mayHaveTakenEffect(failure) && isAsBefore(await pollKey(store, to, isAsBefore, options));
		if (!hasLostResponse)
			throw failure.withDetails({
				left: `${restoredText}; ${quoteName(to)} may still have the same content. Undo it again.`,
			});
	}
	return {notes: overwrittenKey && note !== undefined ? [note] : [], hasLostResponse};
}

const createChangedSinceFailure = (name: string, left: string): Failure =>
	new Failure('changed_meanwhile', `${quoteName(name)} has changed since the rename.`, {left});

/** Renames in one step, if the store supports it. */
async function moveAtOnce(
	store: KvStore,
	{from, to}: Renaming,
	{source, overwrittenKey}: Extract<RenamePlan, {type: 'write'}>,
	{signal}: RenameOptions,
): Promise<RenameResult> {
	const hasContent = (stored: StoredValue | undefined, wanted: WholeKey | undefined) =>
		isSameState(stored && {metadata: null, ...stored}, wanted);
	const isMoved = await store.move?.(
		from,
		to,
		(oldKey, newKey) => hasContent(oldKey, source) && hasContent(newKey, overwrittenKey),
		signal,
	);
	if (isMoved) return {written: true, deleted: true, hasLostResponse: false};
	throw new Failure(
		'changed_meanwhile',
		`${quoteName(from)} or ${quoteName(to)} was changed in the meantime.`,
		{
			left: 'Nothing was written.',
			next: 'Check both, and try again.',
		},
	);
}

/** Writes the new name and waits until reads show it. Returns true if the response was lost. */
async function writeTarget(
	store: KvStore,
	renaming: Renaming,
	{source, overwrittenKey}: Extract<RenamePlan, {type: 'write'}>,
	options: RenameOptions,
): Promise<boolean> {
	const {to} = renaming;
	const [oldName, newName] = [quoteName(renaming.from), quoteName(to)];
	let noResponseFailure: Failure | undefined;
	try {
		await putWholeKey(store, to, source, source, options.signal);
	} catch (error) {
		const failure = toFailure(error);
		if (!mayHaveTakenEffect(failure))
			throw failure.withDetails({left: `Nothing was changed: ${oldName} is as before.`});
		noResponseFailure = failure;
	}
	if (options.isDryRun) return false;
	const next = adviseRerun(renaming, overwrittenKey !== undefined);
	const unknownText = `${newName} may have been written; ${oldName} is unchanged.`;
	let lastSeen: WholeKey | undefined;
	try {
		lastSeen = await pollKey(store, to, stored => isSameState(stored, source), options);
	} catch (error) {
		const left = noResponseFailure
			? unknownText
			: `${newName} was written but could not be read back; ${oldName} is unchanged.`;
		throw (noResponseFailure ?? toFailure(error)).withDetails({left, next});
	}
	if (isSameState(lastSeen, source)) return noResponseFailure !== undefined;
	const isFormerContent = isSameState(lastSeen, overwrittenKey);
	if (noResponseFailure)
		throw noResponseFailure.withDetails({
			left: isFormerContent ? unknownText : `${unknownText} ${describeOthersWrite(newName)}`,
			next,
		});
	if (isFormerContent)
		throw new Failure('partly_failed', `${newName} was written, but reads do not show it yet.`, {
			why: `Reads from the service may be 60 s old; ledge checked for ${maxPollMs / 1000} s.`,
			left: `${oldName} was not deleted.`,
			next,
		});
	throw new Failure('changed_meanwhile', describeOthersWrite(newName), {
		why: `It was written, but its content differs from ${oldName}.`,
		left: `${oldName} was not deleted.`,
		next,
	});
}

const describeOthersWrite = (name: string): string => `${name} contains what someone else wrote.`;

/**
 * Deletes the old name if it still has the copied content. `gone`: it did not exist; `lost`: the response was
 * lost, but reads show the deletion.
 */
async function deleteSource(
	store: KvStore,
	renaming: Renaming,
	{source}: PossibleRename,
	options: RenameOptions,
): Promise<'deleted' | 'gone' | 'lost'> {
	const {from} = renaming;
	const {signal, isDryRun} = options;
	const [oldName, newName] = [quoteName(from), quoteName(renaming.to)];
	const next = adviseRerun(renaming, false);
	const bothExistText = `${newName} and ${oldName} have the same content.`;
	if (!isDryRun) {
		let stored: WholeKey | undefined;
		try {
			stored = await readWholeKey(store, from, signal);
		} catch (error) {
			throw toFailure(error).withDetails({left: bothExistText, next});
		}
		if (!stored) return 'gone';
		if (!isSameState(stored, source))
			throw new Failure('changed_meanwhile', `${oldName} was changed during the rename.`, {
				why: 'It was not deleted, so the change is kept.',
				left: `${newName} contains what ${oldName} contained before.`,
				next: buildAdvice`Check both; \`${buildKeysCommand('kv key rename', from, renaming.to, '--overwrite')}\` renames the current version.`,
			});
	}
	try {
		await store.delete(from, signal);
		return 'deleted';
	} catch (error) {
		const failure = toFailure(error);
		if (!mayHaveTakenEffect(failure)) throw failure.withDetails({left: bothExistText, next});
		const left = `${newName} was written; ${oldName} may have been deleted.`;
		let lastSeen: WholeKey | undefined;
		try {
			lastSeen = await pollKey(store, from, stored => stored === undefined, options);
		} catch {
			throw failure.withDetails({left, next});
		}
		if (lastSeen === undefined) return 'lost';
		throw failure.withDetails({left, next});
	}
}

/** Polls a key until it is as expected, or as long as reads may be old. Returns the last state. */
async function pollKey(
	store: KvStore,
	key: string,
	isExpected: (stored: WholeKey | undefined) => boolean,
	options: RenameOptions,
): Promise<WholeKey | undefined> {
	let stored: WholeKey | undefined;
	await pollUntil(store, options, async () => {
		stored = await readWholeKey(store, key, options.signal);
		return isExpected(stored);
	});
	return stored;
}

/**
 * Polls with increasing delays until `check` returns true, or as long as reads may be old. Local reads are
 * never old.
 */
export async function pollUntil(
	{kind}: KvStore,
	{clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
	check: () => Promise<boolean>,
): Promise<void> {
	const durationMs = kind === 'local' ? 0 : maxPollMs * clock.scale;
	const startedAt = clock.elapsed();
	for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
		if ((await check()) || clock.elapsed() - startedAt >= durationMs) return;
		await clock.wait(waitMs * clock.scale, signal);
	}
}

const adviseRerun = ({kind, from, to}: Renaming, overwrites: boolean) => {
	const args = [from, to, ...(overwrites ? ['--overwrite'] : [])];
	return buildAdvice`To complete it: \`${buildKeysCommand(kind === 'rename' ? 'kv key rename' : 'kv key copy', ...args)}\`.`;
};

const quoteName = (name: string): string => JSON.stringify(name);
