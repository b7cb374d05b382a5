declare module "virtual:search-index" {
  const index: import("./search").Index;
  export default index;
}
