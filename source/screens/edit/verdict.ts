import {expiryText, parseLifetime} from '../../kv/change/lifetime-input.ts';
import {limits, unixSeconds, utf8Bytes} from '../../kv/limits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {type TextBuffer, textOf} from '../../text/buffer/buffer.ts';
import {counted, grouped} from '../../text/figures.ts';
import {isJsonStructure} from '../../text/json/content.ts';
import {parseScalarInput} from '../../text/json/edit.ts';
import {pathText} from '../key/tree.ts';
import {type Edit, readMetadata} from './edit.ts';
import {editHere} from './slice.ts';

/** The assessment of what was typed so far. */
export type Verdict = {readonly problem: boolean; readonly text: string};

const fine = (text: string): Verdict => ({problem: false, text});
const wrong = (text: string): Verdict => ({problem: true, text});

/** Assesses the content of the editor: what is wrong, or what it means. `now` in UNIX seconds. */
export function verdictOf({entry, base}: Edit, now: number): Verdict {
	switch (entry.form) {
		case 'text':
			return textVerdict(textOf(entry.buffer), base && 'bytes' in base ? base.bytes : undefined);
		case 'field': {
			const {nodes, node, buffer} = entry;
			const kind = nodes.kind(node);
			const read = parseScalarInput(textOf(buffer), kind);
			if ('problem' in read) return wrong(read.problem);
			return fine(
				kind === 'string' ? `written as ${read.source}` : `JSON; the stored value is ${kindNames[kind]}`,
			);
		}
		case 'metadata':
			return metadataVerdict(textOf(entry.buffer));
		case 'expiry': {
			const text = textOf(entry.buffer);
			if (text.trim() === '') return fine('');
			const read = parseLifetime(text, now);
			if ('problem' in read) return wrong(`${read.problem.what} ${read.problem.why}`);
			const {lifetime} = read;
			if (lifetime === 'never' || lifetime === 'keep') return fine('It will never expire.');
			return fine(
				`It will expire ${expiryText('ttl' in lifetime ? now + lifetime.ttl : lifetime.expiration, now)}.`,
			);
		}
		case 'bytes':
			return fine(counted(entry.bytes.length, 'byte'));
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

function textVerdict(text: string, before: Uint8Array | undefined): Verdict {
	const bytes = utf8Bytes(text);
	const wasJson = before !== undefined && isJsonStructure(Buffer.from(before).toString('utf8'));
	const size = counted(bytes, 'byte');
	if (bytes > limits.valueBytes) return wrong(`${size}; a value has at most ${limits.valueBytes}`);
	if (isJsonStructure(text)) return fine(`JSON, ${size}`);
	return wasJson ? wrong(`not valid JSON: ${jsonProblem(text)}; ${size}`) : fine(size);
}

/** Returns why a text is not JSON, without quoting it. */
function jsonProblem(text: string): string {
	try {
		JSON.parse(text);
		return 'it is neither an object nor an array';
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return message.replace(/, (?:\.\.\.)?".*$/s, '').replace(/^./, first => first.toLowerCase());
	}
}

function metadataVerdict(text: string): Verdict {
	const read = readMetadata(text);
	if ('problem' in read) return wrong(read.problem.why);
	if (read.metadata === null) return fine('no metadata');
	return fine(
		`${grouped(utf8Bytes(JSON.stringify(read.metadata)))} of ${grouped(limits.metadataBytes)} bytes`,
	);
}

/** Status line of the editor: assessment and cursor position. */
export function editorStatus(state: Has<'edits', 'list' | 'current'>): string {
	const edit = editHere(state);
	if (!edit) return '';
	const {entry} = edit;
	switch (entry.form) {
		case 'text': {
			const {problem, text} = verdictOf(edit, 0);
			return [`${problem ? '! ' : ''}${text}`, placeIn(entry.buffer)].join('   ');
		}
		case 'field':
			return pathText(entry.nodes.path(entry.node));
		case 'metadata':
			return placeIn(entry.buffer);
		case 'expiry':
			return 'nothing has been sent';
		case 'bytes':
			return verdictOf(edit, unixSeconds(Date.now())).text;
	}
}

const placeIn = ({row, lines}: TextBuffer): string => `line ${row + 1} of ${lines.length}`;
