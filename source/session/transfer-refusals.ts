import {existsSync} from 'node:fs';
import {Failure} from '../failure.ts';
import {createInputChangedFailure} from '../kv/bulk/resume.ts';
import type {EarlierExport} from '../kv/transfer/earlier-exports.ts';
import {getPartPath} from '../kv/transfer/export-file.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {isJsonObject} from '../text/json.ts';
import type {OpenedNamespace} from './namespaces.ts';

/** True if an interrupted export must start over, because the part that it wrote no longer exists. */
export const hasLostBeginning = ({record}: EarlierExport, path: string): boolean =>
	isJsonObject(record.position) &&
	record.position.file !== undefined &&
	!existsSync(getPartPath(path)) &&
	!existsSync(path);

export const createOtherExportFailure = ({id, record}: EarlierExport, path: string): Failure =>
	new Failure('file_exists', `The file ${JSON.stringify(getPartPath(path))} already exists.`, {
		why: `It is the first part of another, interrupted export: ${record.header.title}`,
		next: buildAdvice`\`${buildCommand('jobs resume', id)}\` resumes it. Or choose another file, or add --yes to replace it and start over.`,
	});

/** Refuses a changed input file: the recorded position is meaningless for other content. */
export function refuseChangedInput(
	id: string,
	{digest}: {readonly digest?: string},
	{store, digest: currentDigest}: OpenedNamespace,
): void {
	if (digest === undefined || digest === currentDigest) return;
	throw createInputChangedFailure(id, store.label, 'Its content is different.');
}

export function refuseSame(
	{target: sourceTarget}: OpenedNamespace,
	{target: destinationTarget}: OpenedNamespace,
): void {
	if (
		sourceTarget.place !== destinationTarget.place ||
		sourceTarget.account !== destinationTarget.account ||
		sourceTarget.namespace !== destinationTarget.namespace
	)
		return;
	throw new Failure('usage', 'Both names refer to the same store.', {next: 'Use two different ones.'});
}
