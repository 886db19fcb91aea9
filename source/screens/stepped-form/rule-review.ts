import {linesOf} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {clip} from '../../text/wrap.ts';
import {exact, marked, type Row, said, spaced} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {curlOf} from '../write-flow/curl.ts';
import {requestsHeading} from './heading.ts';
import {type AnyRuleKind, findObstacle, type RuleForm} from './rule-form.ts';

type Review = {
	readonly rows: readonly Row[];
	/** How many rows there are up to the end of the requests. */
	readonly requestEnd: number;
};

/**
 * All that is to be looked at before it is sent: what it will do, what speaks against it, whom it concerns, each
 * request with its whole body, and what it does not protect from.
 */
export function reviewRows(
	kind: AnyRuleKind,
	form: RuleForm,
	connection: Connection | undefined,
	columns: number,
	marks: Pick<Theme['marks'], 'failed' | 'warning' | 'dot'>,
): Review {
	const width = columns - 6;
	const {requests = [], shows} = form;
	const {summary, changes, warnings, concerns, limits = []} = kind.review(form);
	const about = [
		...clip(linesOf(summary, width, 2), 3).map((text): Row => [{text, look: 'here'}]),
		...said(changes, width),
		...kind.findings(form).flatMap(({about, severity, sentence, failure: {details}}) => {
			const isError = severity === 'error';
			// The field shows where a problem of the expression is.
			const why = details.why && about !== 'expression' ? ` ${details.why}` : '';
			const mark = isError ? marks.failed : marks.warning;
			return marked(mark, `${sentence}${why}`, width, isError ? 'danger' : 'warning');
		}),
		...warnings.flatMap(text => marked(marks.warning, text, width, 'warning')),
		...said(concerns, width, 'plain', 2),
	];
	const obstacle = findObstacle(kind, form);
	if (requests.length === 0) {
		const rows = spaced(about, said(obstacle, width, 'dim'));
		return {rows, requestEnd: rows.length};
	}
	const heading = requestsHeading({
		count: requests.length,
		shows,
		obstacle,
		order: 'the second one only if the first succeeds',
	});
	const before = spaced(
		about,
		said(heading, width, 'dim'),
		...requests.map((request, at) => {
			if (shows === 'curl') return exact(curlOf(request, connection), width);
			const number = requests.length > 1 ? `${at + 1}  ` : '';
			const body = JSON.stringify(request.body, null, kind.indent ?? 2).split('\n');
			return [
				...exact(`${number}${request.method} ${request.path}`, width, 'here'),
				...body.flatMap(line => exact(`${' '.repeat(number.length)}${line}`, width)),
			];
		}),
	);
	if (limits.length === 0) return {rows: before, requestEnd: before.length};
	const after = [
		...said('It does NOT protect from:', width, 'danger'),
		...limits.flatMap(({text, look}) => marked(marks.dot, text, width, look)),
	];
	return {rows: spaced(before, after), requestEnd: before.length};
}
