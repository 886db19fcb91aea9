import {nameKey} from '../../keyboard/named-keys.ts';
import {formatExpiry, formatTimeLeft, parseLifetime} from '../../kv/change/lifetime-input.ts';
import type {LifetimeChoice} from '../../kv/change/proposal.ts';
import {getUtf8Length, limits, toEpochSeconds} from '../../kv/limits.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getBufferText, type TextBuffer} from '../../text/buffer/buffer.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {isJsonStructure} from '../../text/json/content.ts';
import {parseScalarInput} from '../../text/json/edit.ts';
import {describeJsonProblem} from '../../text/json/problem.ts';
import {formatJsonPath} from '../key/tree.ts';
import {type Edit, parseMetadataText} from './edit.ts';
import {getCurrentEdit} from './slice.ts';

/** The assessment of what was typed so far. */
export type EditVerdict = {readonly isProblem: boolean; readonly text: string};

const createVerdict = (text: string): EditVerdict => ({isProblem: false, text});
const createProblemVerdict = (text: string): EditVerdict => ({isProblem: true, text});

/**
 * Assesses the content of the editor: what is wrong, or what it means. `now` in UNIX seconds; only an expiry
 * needs it.
 */
export function assessEdit({entry, base}: Edit, now: number): EditVerdict {
	switch (entry.kind) {
		case 'text':
			return assessText(getBufferText(entry.buffer), base && 'bytes' in base ? base.bytes : undefined);
		case 'field': {
			const {nodes, node, buffer} = entry;
			const kind = nodes.kind(node);
			const parsed = parseScalarInput(getBufferText(buffer), kind);
			if ('problem' in parsed) return createProblemVerdict(parsed.problem);
			return createVerdict(
				kind === 'string' ? `written as ${parsed.source}` : `JSON; the stored value is ${kindNames[kind]}`,
			);
		}
		case 'metadata':
			return assessMetadata(getBufferText(entry.buffer));
		case 'expiry': {
			const text = getBufferText(entry.buffer);
			if (text.trim() === '') return createVerdict('');
			const parsed = parseLifetime(text, now);
			if ('problem' in parsed) return createProblemVerdict(`${parsed.problem.what} ${parsed.problem.why}`);
			const {lifetime} = parsed;
			if (lifetime === 'never' || lifetime === 'keep') return createVerdict('It will never expire.');
			return createVerdict(
				`It will expire ${formatExpiry('ttl' in lifetime ? now + lifetime.ttl : lifetime.expiration, now)}.`,
			);
		}
		case 'tree':
			return assessText(entry.tree.nodes.text, undefined);
		case 'bytes':
			return createVerdict(formatQuantity(entry.bytes.length, 'byte'));
	}
}

const kindNames = {
	object: 'an object',
	array: 'an array',
	string: 'a string',
	number: 'a number',
	true: 'true',
	false: 'false',
	null: 'null',
} as const;

function assessText(text: string, storedBytes: Uint8Array | undefined): EditVerdict {
	const bytes = getUtf8Length(text);
	const wasJson = storedBytes !== undefined && isJsonStructure(Buffer.from(storedBytes).toString('utf8'));
	const size = formatQuantity(bytes, 'byte');
	if (bytes > limits.valueBytes) return createProblemVerdict(`${size}; the maximum is ${limits.valueBytes}`);
	if (isJsonStructure(text)) return createVerdict(`JSON, ${size}`);
	return wasJson
		? createProblemVerdict(`not JSON: ${describeJsonProblem(text) ?? 'it is neither an object nor an array'}`)
		: createVerdict(size);
}

function assessMetadata(text: string): EditVerdict {
	const parsed = parseMetadataText(text);
	if ('problem' in parsed) return createProblemVerdict(parsed.problem.why);
	if (parsed.metadata === null) return createVerdict('no metadata');
	return createVerdict(
		`${formatInteger(getUtf8Length(JSON.stringify(parsed.metadata)))} of ${formatInteger(limits.metadataBytes)} bytes`,
	);
}

/** Status line of the editor: assessment and cursor position. */
export function formatEditorStatus(state: StateWith<'edits', 'list' | 'currentId'>): string {
	const edit = getCurrentEdit(state);
	if (!edit) return '';
	const {entry} = edit;
	switch (entry.kind) {
		case 'text': {
			const {isProblem, text} = assessEdit(edit, 0);
			const {lifetime} = edit;
			return [
				`${isProblem ? '! ' : ''}${text}`,
				...(typeof lifetime === 'string' ? [] : [formatChosenLifetime(lifetime)]),
				// The margin has line numbers too, and the problem needs the room.
				...(isProblem ? [] : [formatCursorLine(entry.buffer)]),
			].join('   ');
		}
		case 'field':
			return formatJsonPath(entry.nodes.path(entry.node));
		case 'tree':
			return [
				formatJsonPath(entry.tree.path(entry.cursor)),
				...(entry.past.length === 0
					? []
					: [formatQuantity(entry.past.length, 'change'), `${nameKey('field.undo', 'u')} undoes the last`]),
			].join('   ');
		case 'metadata':
			return formatCursorLine(entry.buffer);
		case 'expiry':
			return 'nothing has been sent';
		case 'bytes':
			return assessEdit(edit, toEpochSeconds(Date.now())).text;
	}
}

const formatChosenLifetime = (lifetime: Exclude<LifetimeChoice, string>): string =>
	'ttl' in lifetime
		? `expires ${formatTimeLeft(lifetime.ttl, 0)}`
		: `expires ${formatExpiry(lifetime.expiration, toEpochSeconds(Date.now()))}`;

const formatCursorLine = ({row, lines}: TextBuffer): string => `line ${row + 1} of ${lines.length}`;
