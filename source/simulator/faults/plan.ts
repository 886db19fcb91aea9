import {type Fault, parseFaults} from './faults.ts';

/** Counts how often a fault had its chance, over all requests. */
type Planned = {readonly fault: Fault; chances: number};

/** The faults of a running simulator. */
export class FaultPlan {
	#planned: Planned[] = [];

	constructor(faults: readonly Fault[] = []) {
		this.add(faults);
	}

	/** Faults, or their text, beside those that are there. Bad text is the failure `usage`, and nothing changes. */
	add(faults: readonly Fault[] | string): void {
		const given = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.#planned.push(...given.map(fault => ({fault, chances: 0})));
	}

	/** The same in place of those that are there. */
	replace(faults: readonly Fault[] | string): void {
		const given = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.clear();
		this.add(given);
	}

	clear(): void {
		this.#planned = [];
	}

	all(): readonly Fault[] {
		return this.#planned.map(({fault}) => fault);
	}

	/** The faults that may strike a request. */
	against(method: string, path: string): Strikes {
		const readable = decodedPath(path);
		return new Strikes(
			this.#planned.filter(
				({fault}) =>
					(fault.method === undefined || fault.method === method) &&
					(fault.path === undefined || path.includes(fault.path) || readable.includes(fault.path)),
			),
		);
	}
}

/**
 * The faults that may strike one request. A fault is counted once a request, when one of its effects is first
 * looked for and can happen: a fault that refuses keys does not wear out on requests without these keys.
 */
export class Strikes {
	readonly #planned: readonly Planned[];
	readonly #struck = new Map<Planned, boolean>();

	constructor(planned: readonly Planned[]) {
		this.#planned = planned;
	}

	/** The faults with this effect that strike now, if `can` confirms the effect. */
	with<Field extends keyof Fault>(
		field: Field,
		can: (fault: Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>}) => boolean = () => true,
	) {
		type Having = Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>};
		const having = (planned: Planned): planned is Planned & {fault: Having} =>
			planned.fault[field] !== undefined;
		return this.#planned
			.filter(having)
			.filter(planned => can(planned.fault) && this.#strikes(planned))
			.map(planned => planned.fault);
	}

	#strikes(planned: Planned): boolean {
		const before = this.#struck.get(planned);
		if (before !== undefined) return before;
		planned.chances += 1;
		const {after = 0, times = Number.POSITIVE_INFINITY} = planned.fault;
		const strikes = planned.chances > after && planned.chances <= after + times;
		this.#struck.set(planned, strikes);
		return strikes;
	}
}

function decodedPath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
