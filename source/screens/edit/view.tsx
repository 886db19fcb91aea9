import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {InputField} from '../../components/field.tsx';
import {getBodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {List} from '../../components/list.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {TextEditor} from '../../components/text-editor.tsx';
import {useTheme} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {formatExpiry} from '../../kv/change/lifetime-input.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {TextBuffer} from '../../text/buffer/buffer.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {JsonLine} from '../key/value-rows.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {assessEdit, type EditVerdict} from './assessment.ts';
import type {Edit} from './edit.ts';
import {FieldInTree} from './field-in-tree.tsx';
import {getCurrentEdit} from './slice.ts';

/** The editor of a value, a field, metadata or an expiry. */
export function Editor(): ReactElement {
	const edit = useLedge(getCurrentEdit);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const height = getBodyRows(rows);
	if (!edit) return <Empty title="Nothing is being edited." next="esc goes back" />;
	const {entry} = edit;
	switch (entry.kind) {
		case 'text':
			return <TextEditor buffer={entry.buffer} columns={columns} height={height} />;
		case 'field':
			return (
				<>
					<VerdictLines verdict={assessEdit(edit, 0)} columns={columns} rows={1} />
					<Box height={rows >= minRoomyRows ? 1 : 0} flexShrink={0} />
					<FieldInTree entry={entry} columns={columns} height={height - (rows >= minRoomyRows ? 2 : 1)} />
				</>
			);
		case 'tree':
			return (
				<List
					count={entry.tree.count}
					cursor={entry.cursor}
					height={height}
					renderRow={(row, isCurrent) => (
						<JsonLine tree={entry.tree} row={row} query="" isCurrent={isCurrent} columns={columns} />
					)}
				/>
			);
		case 'metadata':
			return <MetadataEditor edit={edit} buffer={entry.buffer} columns={columns} height={height} />;
		case 'expiry':
			return <ExpiryEditor edit={edit} buffer={entry.buffer} columns={columns} height={height} />;
		case 'bytes':
			return (
				<Empty
					title={`${formatPlainQuantity(entry.bytes.length, 'byte')}, which cannot be edited as text here.`}
					next={`${nameKey('editor.elsewhere', 'ctrl-o')} opens $EDITOR, ${nameKey('editor.review', 'ctrl-s')} reviews the change`}
				/>
			);
	}
}

/** Minimum rows for a blank line, as in the value's view. */
const minRoomyRows = 20;

type EntryViewProps = {readonly edit: Edit; readonly buffer: TextBuffer; readonly columns: number};

function MetadataEditor({
	edit,
	buffer,
	columns,
	height,
}: EntryViewProps & {readonly height: number}): ReactElement {
	const introLines = wrapParagraphs(
		['Metadata is a JSON object. Leave empty to remove the metadata.'],
		columns - 5,
	);
	return (
		<>
			<Box paddingLeft={3} flexDirection="column" flexShrink={0}>
				<Lines lines={introLines} rows={introLines.length} dim />
			</Box>
			<TextEditor buffer={buffer} columns={columns} height={height - introLines.length - 1} />
			<VerdictLines verdict={assessEdit(edit, toEpochSeconds(Date.now()))} columns={columns} rows={1} />
		</>
	);
}

function ExpiryEditor({
	edit,
	buffer,
	columns,
	height,
}: EntryViewProps & {readonly height: number}): ReactElement {
	const now = toEpochSeconds(Date.now());
	const {current} = useTheme();
	const {expiration} = edit.base ?? {};
	const introLines = wrapParagraphs(
		[
			expiration === undefined ? 'It never expires.' : `It expires ${formatExpiry(expiration, now)}.`,
			'A duration such as 90s, 24h or 7d, a UTC time such as 2031-01-31 09:00, or never.',
		],
		columns - 6,
	);
	// Rows of the texts, the field and what is wrong with it; with blank rows only if all of them fit.
	const gap = introLines.length + 4 + 3 <= height ? 1 : 0;
	return (
		<Box flexDirection="column" paddingLeft={3} paddingTop={gap} gap={gap}>
			<Lines lines={introLines} rows={Math.min(introLines.length, height - 2)} />
			<Box>
				<Text {...current}>{'expires  '}</Text>
				<InputField buffer={buffer} columns={columns - 16} />
			</Box>
			<VerdictLines verdict={assessEdit(edit, now)} columns={columns} rows={gap === 0 ? 1 : 3} indent={0} />
		</Box>
	);
}

function VerdictLines({
	verdict: {isProblem, text},
	columns,
	rows,
	indent = 3,
}: {
	readonly verdict: EditVerdict;
	readonly columns: number;
	readonly rows: number;
	readonly indent?: number;
}): ReactElement {
	const {warning, dim, marks} = useTheme();
	const message = isProblem ? `${marks.failed} ${text}` : text;
	const lines =
		rows === 1 ? [cutEnd(toDrawable(message), columns - 5)] : wrapParagraphs([message], columns - 8, 2);
	return (
		<Box paddingLeft={indent} flexDirection="column" flexShrink={0}>
			<Text {...(isProblem ? warning : dim)} wrap="truncate">
				{lines.slice(0, rows).join('\n') || ' '}
			</Text>
		</Box>
	);
}
