import {Failure} from '../failure.ts';
import {openKeyNamesInput} from '../kv/bulk/names-input.ts';
import {type KeyNames, readKeyNames} from '../kv/transfer/names.ts';
import {
	countRename,
	listNamesToRename,
	type PrefixChange,
	type RenameCount,
} from '../kv/transfer/renamed-names.ts';
import {isSameTarget} from '../state/job-record.ts';
import {listJobs} from '../state/jobs.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {isJsonObject} from '../text/json.ts';
import type {OpenedNamespace} from './namespaces.ts';
import type {Session} from './session.ts';

/** Listed keys of a prefix rename, and their count. */
type ListedRename = Disposable & {readonly names: KeyNames; readonly count: RenameCount};

/**
 * Lists and counts the keys of a prefix rename; writes nothing. `observe` sees the names as they arrive.
 * Fails with `usage` if both prefixes are equal or the same rename is unfinished, and like `countRename`.
 */
export async function listRename(
	{env: environment}: Pick<Session, 'env'>,
	{store, target}: OpenedNamespace,
	change: PrefixChange,
	signal: AbortSignal,
	observe: (names: AsyncIterable<readonly string[]>) => AsyncIterable<readonly string[]> = names => names,
): Promise<ListedRename> {
	if (change.from === change.to)
		throw new Failure('usage', 'Both prefixes are the same.', {next: 'Use two different ones.'});
	await refuseUnfinished(environment, target, change);
	const label = `keys of ${store.label} under ${JSON.stringify(change.from)}`;
	const namesListing = observe(listNamesToRename(store, change, signal));
	const input = await openKeyNamesInput(namesListing, {label, environment, signal});
	try {
		const names = await readKeyNames(input, signal);
		const count = await countRename(store, change, names, signal);
		return {names, count, [Symbol.dispose]: () => input[Symbol.dispose]()};
	} catch (error) {
		input[Symbol.dispose]();
		throw error;
	}
}

/**
 * Fails with `usage` if the same rename is unfinished: if the new prefix begins with the old one, renamed
 * keys would be renamed twice.
 */
async function refuseUnfinished(
	environment: Session['env'],
	target: OpenedNamespace['target'],
	{from, to}: PrefixChange,
): Promise<void> {
	for (const job of await listJobs(environment)) {
		if (!('record' in job)) continue;
		const {header, status} = job.record;
		const {options} = header;
		if (header.kind !== 'rename' || status === 'done' || !isSameTarget(header.target, target)) continue;
		if (!isJsonObject(options) || options.from !== from || options.to !== to) continue;
		throw new Failure('usage', 'This rename was already started and is not finished.', {
			why: `The job ${job.id}: ${header.title}`,
			next: buildAdvice`\`${buildCommand('jobs resume', job.id)}\` resumes it; \`${buildCommand('jobs forget', job.id)}\` forgets it.`,
		});
	}
}

/**
 * Creates the failure for a rename whose new names belong to other keys, if no option says what to do with
 * those.
 */
export const createNamesTakenFailure = ({takenCount, takenSamples}: RenameCount): Failure =>
	new Failure(
		'already_exists',
		`${takenCount === 1 ? 'One of the new names is' : `${takenCount} of the new names are`} taken by other keys.`,
		{
			why: [
				...takenSamples.map(name => JSON.stringify(name)),
				...(takenCount > takenSamples.length ? [`and ${takenCount - takenSamples.length} more`] : []),
			].join('\n'),
			left: 'Nothing was written.',
			next: 'Add --only-missing to leave those keys unchanged, or --overwrite to replace the keys that have the new names.',
		},
	);
