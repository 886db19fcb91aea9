/** The jurisdictions that a new namespace can be kept in. Only durable storage is restricted to one. */
export const jurisdictions = ['eu', 'us', 'fedramp'] as const;

export type Jurisdiction = (typeof jurisdictions)[number];

/** A namespace of the service, as named in a comparison of jurisdictions. */
type Place = {readonly title: string; readonly jurisdiction?: string | undefined};

const labels: Readonly<Record<string, string>> = {
	eu: 'the EU',
	us: 'the US',
	fedramp: 'the FedRAMP jurisdiction',
} satisfies Record<Jurisdiction, string>;

/** Formats a jurisdiction for a sentence: "the EU". The service may add others. */
export const formatJurisdiction = (jurisdiction: string): string =>
	Object.hasOwn(labels, jurisdiction) ? `${labels[jurisdiction]}` : `the jurisdiction "${jurisdiction}"`;

export const unchangeableJurisdiction =
	'The jurisdiction of a namespace is set when it is created and cannot be changed.';

/** Warns if two namespaces are kept in different jurisdictions. Undefined if they are not. */
export function formatJurisdictionWarning(one: Place, other: Place): string | undefined {
	if (one.jurisdiction === other.jurisdiction) return undefined;
	const [kept, free] = one.jurisdiction === undefined ? [other, one] : [one, other];
	const keptClause = `${kept.title} is kept in ${formatJurisdiction(kept.jurisdiction ?? '')}`;
	return free.jurisdiction === undefined
		? `${keptClause}; ${free.title} is not.`
		: `${keptClause}; ${free.title} in ${formatJurisdiction(free.jurisdiction)}.`;
}
