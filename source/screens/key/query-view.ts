import {Failure, toFailure} from '../../failure.ts';
import type {QueryDocument} from '../../query/query.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import type {App} from '../shell/app.ts';
import {findCommonStart, type TextCompletion} from '../shell/paths.ts';
import {toDerivedView} from './decoded-view.ts';
import {createKeyView, type KeyView} from './value-view.ts';

/** Milliseconds that a query may block the keyboard. */
const queryTimeoutMs = 2_000;

/** Columns of a query in the line above its result. */
const labelColumns = 40;

/**
 * Creates the view of what a valid query finds in a JSON value. Fails with `usage` or `timed_out`, and with
 * `value_undecodable` if the value is not JSON.
 */
export async function createQueryView(view: KeyView, query: string): Promise<KeyView> {
	const {askDocument, formatQueryResult} = await import('../../query/query.ts');
	const document = await readQueryDocument(view);
	const result = askDocument(document, query, queryTimeoutMs, formatQueryResult);
	const notes = document.inexactNumber === undefined ? [] : ['long numbers rounded'];
	const label = [`result of ${cutEnd(toDrawable(query), labelColumns)}`, ...notes].join(', ');
	return toDerivedView(createKeyView(Buffer.from(result)), {label});
}

/** Parsed values by their bytes: parsing again for each query would take as long as the query. */
const documents = new WeakMap<Uint8Array, QueryDocument>();

async function readQueryDocument({bytes}: KeyView): Promise<QueryDocument> {
	const {parseQueryDocument} = await import('../../query/query.ts');
	const document = documents.get(bytes) ?? parseQueryDocument(Buffer.from(bytes).toString('utf8'));
	if (!document)
		throw new Failure(
			'value_undecodable',
			"The value is not JSON, or nested too deeply, so it can't be queried.",
			{},
		);
	documents.set(bytes, document);
	return document;
}

/** Asks for a query; tab completes the fields of the value, and a mistake is reported with its column. */
export async function promptForQuery(app: App): Promise<void> {
	const key = app.state().key.data;
	const view = key?.query?.views.view ?? key?.view;
	const {fail} = app.state().messages;
	if (!view) return;
	try {
		const document = await readQueryDocument(view);
		const {completeField} = await import('../../query/completion.ts');
		const {findQueryProblem, formatQueryProblem} = await import('../../query/problem.ts');
		if (app.state().key.data?.view !== key?.view || app.state().dialog.current) return;
		app.state().dialog.openField({
			title: 'Query the value',
			lines: ['In JMESPath: users[0].name, users[?age > `30`].name, length(@). Tab completes fields.'],
			value: app.state().key.lastQuery,
			actionLabel: 'query',
			complete(text): TextCompletion {
				const {before, fields} = completeField(document, text);
				const [first] = fields;
				return first === undefined
					? {text, matches: []}
					: {text: before + fields.reduce(findCommonStart), matches: fields};
			},
			check(text) {
				const problem = findQueryProblem(text);
				return problem && formatQueryProblem(problem);
			},
			submit: text => void app.state().key.ask(text),
		});
	} catch (error) {
		fail(toFailure(error));
	}
}
