import {type Answer, done, isEnvelope, Refusal, refuse} from '../http/answer.ts';
import {objectsOf, readJson} from '../http/json-request.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import {type Firewall, filterNamed, firewallOf, idInPath} from './addressed.ts';
import {fitsCommon, holds, is, pageSizes} from './queries.ts';
import {readFilter} from './stored-filters.ts';
import {usersOf} from './stored-rules.ts';
import {type Given, givenById, givenInPath} from './texts.ts';

const filtersPath = '/zones/:zone/filters';
const filterPath = `${filtersPath}/:filter`;

export const filterRoutes: readonly Route[] = [
	{method: 'GET', path: filtersPath, grant: 'firewall:read', answer: withNullMessages(listFilters)},
	{method: 'POST', path: filtersPath, grant: 'firewall:write', answer: withNullMessages(createFilters)},
	{method: 'PUT', path: filtersPath, grant: 'firewall:write', answer: withNullMessages(updateFilters)},
	{method: 'DELETE', path: filtersPath, grant: 'firewall:write', answer: withNullMessages(deleteNamed)},
	{method: 'GET', path: filterPath, grant: 'firewall:read', answer: withNullMessages(getFilter)},
	{method: 'PUT', path: filterPath, grant: 'firewall:write', answer: withNullMessages(updateFilter)},
	{method: 'DELETE', path: filterPath, grant: 'firewall:write', answer: withNullMessages(deleteFilter)},
];

/** Sends null for an empty list of messages: answers about filters do so in the documentation. */
export function withNullMessages(answer: Route['answer']): Route['answer'] {
	const reworded = (given: Answer): Answer =>
		isEnvelope(given.body) && !given.body.messages?.length
			? {...given, body: {...given.body, messages: null}}
			: given;
	return async ask => {
		try {
			return reworded(await answer(ask));
		} catch (error) {
			throw error instanceof Refusal ? new Refusal(reworded(error.answer)) : error;
		}
	};
}

function listFilters(ask: Ask): Answer {
	const {query} = ask;
	const common = fitsCommon(query);
	const expression = holds(query.get('expression'));
	const ref = is(query.get('ref'));
	const found = firewallOf(ask).filters.all();
	return pageOf(
		ask,
		found.filter(filter => common(filter) && expression(filter.expression) && ref(filter.ref)),
		pageSizes,
	);
}

function getFilter(ask: Ask): Answer {
	return done(filterNamed(firewallOf(ask), idInPath(ask)));
}

async function createFilters(ask: Ask): Promise<Answer> {
	const {filters} = firewallOf(ask);
	const given = objectsOf(await readJson(ask), 'filters');
	const drafts = given.map((item, index) => readFilter(item, `filter at index ${index}`));
	return ask.world.transaction(() => done(drafts.map(draft => filters.add(draft))));
}

async function updateFilters(ask: Ask): Promise<Answer> {
	const firewall = firewallOf(ask);
	const drafts = givenById(await readJson(ask), 'filters', 'filter').map(draftOf);
	return ask.world.transaction(() => done(drafts.map(one => update(firewall, one))));
}

async function updateFilter(ask: Ask): Promise<Answer> {
	const firewall = firewallOf(ask);
	const one = draftOf(givenInPath(ask, await readJson(ask), 'a filter', 'filter'));
	return ask.world.transaction(() => done(update(firewall, one)));
}

const draftOf = ({id, item, where}: Given) => ({id, draft: readFilter(item, where)});

const update = (firewall: Firewall, {id, draft}: ReturnType<typeof draftOf>) =>
	firewall.filters.put(filterNamed(firewall, id).id, draft);

function deleteNamed(ask: Ask): Answer {
	const firewall = firewallOf(ask);
	return ask.world.transaction(() =>
		done(ask.query.getAll('id').flatMap(id => (firewall.filters.get(id) ? [deleted(firewall, id)] : []))),
	);
}

function deleteFilter(ask: Ask): Answer {
	const firewall = firewallOf(ask);
	return ask.world.transaction(() => done([deleted(firewall, filterNamed(firewall, idInPath(ask)).id)]));
}

/** Deletes a filter; refuses if a rule uses it. */
function deleted({filters, rules}: Firewall, id: string) {
	const users = usersOf(rules, id).map(rule => rule.id);
	if (users.length > 0) {
		return refuse(400, {
			message: `filter ${id} is used by the firewall ${users.length === 1 ? 'rule' : 'rules'} ${users.join(', ')}`,
		});
	}
	filters.delete(id);
	return {id};
}
