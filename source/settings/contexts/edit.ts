import {isDeepStrictEqual} from 'node:util';
import {Failure, isFailure} from '../../failure.ts';
import {findLineEnd, type Statement} from '../layout.ts';
import {formatTomlKey, formatTomlString} from '../namespace-entry.ts';
import {listTomlStatements} from '../toml-layout.ts';
import type {Context} from './context.ts';
import {type ContextField, parseContexts} from './read.ts';

/** Fields of a context, in file order. */
export type ContextFields = Partial<Readonly<Record<ContextField, string | boolean | readonly string[]>>>;

/** A change of the file; keeps comments and everything else. */
export type ContextChange =
	| {readonly kind: 'add'; readonly name: string; readonly fields: ContextFields}
	| {readonly kind: 'remove'; readonly name: string}
	/** Undefined: no context is in use. */
	| {readonly kind: 'use'; readonly name: string | undefined};

const fileHeader =
	'# Contexts of ledge: named accounts, and how to sign in to them. No secrets belong here.\n';

/**
 * Applies a change to the text of the file; an empty text gets a header. Parses the result: fails with
 * `configuration_invalid` if the result differs from what was requested, because contexts are not written as
 * tables, or if the new context is invalid. `shownAs` is the path in messages.
 */
export async function applyContextChange(
	text: string,
	change: ContextChange,
	shownAs: string,
): Promise<string> {
	const contextsBefore = await parseNamedContexts(text, shownAs);
	if (change.kind === 'add') await checkNewContext(change);
	const byteOrderMark = text.startsWith('\ufeff') ? '\ufeff' : '';
	const content = text.slice(byteOrderMark.length);
	const lineEnd = content.includes('\r\n') ? '\r\n' : '\n';
	const changedText =
		byteOrderMark +
		editText(
			content === '' && change.kind === 'add' ? fileHeader : content,
			change,
			contextsBefore.inUseName,
			lineEnd,
		);
	const contextsAfter = await tryParseContexts(changedText, shownAs);
	if (
		contextsAfter &&
		isDeepStrictEqual(contextsAfter, buildExpectedContexts(contextsBefore, contextsAfter, change))
	)
		return changedText;
	throw new Failure('configuration_invalid', `${shownAs} is written in a form that ledge can't edit.`, {
		why: 'Its contexts are not separate tables ([contexts.NAME]).',
		next: 'Edit it manually.',
	});
}

type NamedContexts = {
	readonly inUseName: string | undefined;
	readonly all: ReadonlyMap<string, Omit<Context, 'line'>>;
};

async function parseNamedContexts(text: string, shownAs: string): Promise<NamedContexts> {
	const {inUseName, all} = await parseContexts(Buffer.from(text), shownAs, shownAs);
	return {inUseName, all: new Map(all.map(({line: _, ...context}) => [context.name, context]))};
}

/**
 * Fails with `configuration_invalid` if a new context is invalid; the message has no line and column, which
 * would mean nothing to the caller.
 */
async function checkNewContext({name, fields}: Extract<ContextChange, {kind: 'add'}>): Promise<void> {
	try {
		await parseNamedContexts(formatTable(name, fields), 'new');
	} catch (error) {
		if (!isFailure(error, 'configuration_invalid')) throw error;
		throw new Failure('configuration_invalid', `The context "${name}" cannot be added.`, {
			why: error.message.replace(/^new:\d+:\d+: /, ''),
			next: 'Correct it; nothing was written.',
		});
	}
}

/** Parses the changed text; undefined if the change broke it. */
async function tryParseContexts(text: string, shownAs: string): Promise<NamedContexts | undefined> {
	try {
		return await parseNamedContexts(text, shownAs);
	} catch (error) {
		if (isFailure(error, 'configuration_invalid')) return undefined;
		throw error;
	}
}

/**
 * Builds the expected content after a change. A new context is taken as parsed, since the same rules read it.
 */
function buildExpectedContexts(
	{inUseName, all}: NamedContexts,
	parsedContexts: NamedContexts,
	change: ContextChange,
): NamedContexts {
	const {name} = change;
	switch (change.kind) {
		case 'add': {
			const addedContext = parsedContexts.all.get(change.name);
			return {inUseName, all: addedContext ? new Map([...all, [change.name, addedContext]]) : all};
		}
		case 'remove':
			return {
				inUseName: inUseName === name ? undefined : inUseName,
				all: new Map([...all].filter(([otherName]) => otherName !== name)),
			};
		case 'use':
			return {inUseName: name, all};
		default:
			return change satisfies never;
	}
}

function editText(
	text: string,
	change: ContextChange,
	inUseNameBefore: string | undefined,
	lineEnd: string,
): string {
	switch (change.kind) {
		case 'add':
			return `${text}${text.endsWith('\n') ? '' : lineEnd}${lineEnd}${formatTable(change.name, change.fields, lineEnd)}`;
		case 'remove': {
			const statements = listTomlStatements(text);
			const remainingText = removeTable(text, statements, change.name);
			const inUseStatement =
				inUseNameBefore === change.name
					? listTomlStatements(remainingText).find(isInUseAssignment)
					: undefined;
			return inUseStatement ? removeLine(remainingText, inUseStatement) : remainingText;
		}
		case 'use': {
			const statements = listTomlStatements(text);
			const inUseStatement = statements.find(isInUseAssignment);
			if (change.name === undefined) return inUseStatement ? removeLine(text, inUseStatement) : text;
			const line = `context_in_use = ${formatTomlString(change.name)}`;
			if (inUseStatement) return text.slice(0, inUseStatement.start) + line + text.slice(inUseStatement.end);
			const insertOffset = findStatementStart(text, statements[0]?.start ?? text.length);
			return `${text.slice(0, insertOffset)}${line}${lineEnd}${lineEnd}${text.slice(insertOffset)}`;
		}
		default:
			return change satisfies never;
	}
}

const formatTable = (name: string, fields: ContextFields, lineEnd = '\n'): string =>
	[
		`[contexts.${formatTomlKey(name)}]`,
		...Object.entries(fields).map(([field, value]) => `${field} = ${formatTomlValue(value)}`),
		'',
	].join(lineEnd);

const formatTomlValue = (value: string | boolean | readonly string[]): string =>
	typeof value === 'string'
		? formatTomlString(value)
		: typeof value === 'boolean'
			? String(value)
			: `[${value.map(formatTomlString).join(', ')}]`;

const isInUseAssignment = ({kind, path}: Statement): boolean =>
	kind === 'assignment' && path.length === 1 && path[0] === 'context_in_use';

/** Finds the start of a statement including the comment directly above it. */
function findStatementStart(text: string, start: number): number {
	const comment = /(?:^[ \t]*#[^\n]*\n)*[ \t]*(?![\s\S])/m.exec(text.slice(0, start));
	return comment?.index ?? start;
}

/** Removes a table, from its header to its last field; comments after that belong to what follows. */
function removeTable(text: string, statements: readonly Statement[], name: string): string {
	const tableStatements = statements.filter(({path}) => path[0] === 'contexts' && path[1] === name);
	const [firstStatement, lastStatement] = [tableStatements[0], tableStatements.at(-1)];
	if (firstStatement?.kind !== 'header' || !lastStatement) return text;
	const end = findLineEnd(text, lastStatement.end);
	const remainingText = text.slice(end).replace(/^\r?\n(\r?\n)?/, '');
	return text.slice(0, firstStatement.start) + remainingText;
}

const removeLine = (text: string, {start, end}: Statement): string =>
	text.slice(0, start) + text.slice(findLineEnd(text, end)).replace(/^\r?\n(\r?\n)?/, '');
