// Package identification decides which documents a buyer's company must show before it may buy (spec 2.7, 4.5).
//
// It is pure: Check judges what a buyer sent by what the seller asks for, FormOf says what to ask. Nothing is looked up
// in any register (spec 4.5.7).
//
// # Words
//
//   - document: a number that identifies the buyer's company, and the type that says whose number it is.
//   - requirement: when a document of a type is asked for. group: requirements any one of whose documents will do.
//   - configuration: groups, each of which must be satisfied.
//
// # Decided here, where the specification is silent
//
//   - A type of document belongs to sellers: france_siren to French ones with the SIREN module on. For every other
//     seller a requirement of that type never applies, whatever its configuration says: the document would be dropped,
//     and nobody could ever buy. Where no type is left, identification is not read at all, and the form is without one.
//   - A configuration of the seller's own takes the place of the French one whole. It may ask for more than companies
//     (by its threshold or of foreigners) or for no address; that nothing is asked without a company, and that an
//     address comes with every SIREN (spec 4.5.3, decisions 9.5), then holds only where it says so. An empty one asks
//     for nothing.
//   - A group of which no requirement applies is satisfied. One of which some do is satisfied by a document of any
//     requirement in it (spec 4.5.4), and an address is asked for by every requirement that applies.
//   - A number that is wrong is refused as such, and not told to be missing as well.
//   - At most ten documents are taken, and several of one type are fine. A document's members beyond type and
//     identifier are ignored as everywhere in a checkout (decisions 1.5), but not when they differ from these in case
//     only (decisions 1.7).
package identification
